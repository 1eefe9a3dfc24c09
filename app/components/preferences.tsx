import { createContext, useContext } from "react";
import { DEFAULTS, type Preferences } from "~/domain/shell/preferences";

/** How this browser's user likes to see things. */
export const PreferencesContext = createContext<Preferences>(DEFAULTS);
export const usePreferences = () => useContext(PreferencesContext);
