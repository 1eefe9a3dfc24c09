import { z } from "zod";
import { REASON_CHARS } from "./limits";

export const KEEP_DAYS_MAX = 3_650;

const days = z
  .int({ error: "is a whole number of days" })
  .min(0, `is at least 0 (kept for ever)`)
  .max(KEEP_DAYS_MAX, `is at most ${KEEP_DAYS_MAX} days; 0 keeps for ever`);

/** How many days after their end jobs are removed; 0: never. `deadDays`: those that are dead, all others `finishedDays`. */
export const RETENTION = z.strictObject({ finishedDays: days, deadDays: days });
export type Retention = z.output<typeof RETENTION>;
export const SET_RETENTION = RETENTION.extend({ reason: z.string().trim().max(REASON_CHARS).optional() });

/** As it is typed into a form; NaN for what is no number. */
export const daysOf = (text: FormDataEntryValue | null): number =>
  typeof text === "string" && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN;

export const keptText = (days: number): string =>
  days === 0 ? "for ever" : days === 1 ? "1 day after their end" : `${days} days after their end`;
