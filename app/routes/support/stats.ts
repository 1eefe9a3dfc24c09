import { createContext, useContext } from "react";
import type { Stats } from "~/domain/feeds";
import type { Live } from "~/queries/use_feed";

/** The numbers, polled once for the frame and every page in it. Null: D1 did not answer when the page was read. */
export const StatsContext = createContext<Live<Stats> | null>(null);
export const useStats = () => useContext(StatsContext);
