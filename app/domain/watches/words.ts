import { count, plural } from "../format";
import { MISSED_MAX } from "./watch";

export const watchAddress = (id: string): string => `/watches/${encodeURIComponent(id)}`;
export const checksAddress = (id: string, before: string): string =>
  `${watchAddress(id)}?${new URLSearchParams({ before })}`;

/** `2 slots before it ended were skipped` */
export const missedText = (missed: number): string =>
  missed >= MISSED_MAX
    ? `${count(MISSED_MAX)} slots or more were skipped before it ended`
    : `${plural(missed, "slot")} ${missed === 1 ? "was" : "were"} skipped before it ended`;
