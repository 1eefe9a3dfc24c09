import { createContext, useContext } from "react";

export type Opened = "sheet" | "palette" | "actions" | null;

/** Opens what the keyboard opens, for those who point. */
export const KeysContext = createContext<(what: Opened) => void>(() => {});
export const useOpenKeys = () => useContext(KeysContext);
