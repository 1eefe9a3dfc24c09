import { z } from "zod";
import { REASON_CHARS } from "./limits";
import { isOneLine } from "./mail/email";

const reason = z.string().trim().max(REASON_CHARS).optional();

/**
 * `repeatUnknown`: effects that were started and whose outcome nobody knows are done again. `generation`: requeue only what was looked at;  a job that somebody requeued meanwhile is
 * left alone.
 */
export const REQUEUE = z.strictObject({
  generation: z.int().min(1).optional(),
  repeatUnknown: z.boolean().optional(),
  reason,
});
/** A signed-in name, as it stands in the list of submitters. */
export const SUBMITTER = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .refine((name) => isOneLine(name), "is one line of text, without control characters");
/** null: no limit. */
export const DAILY_LIMIT = z.strictObject({ dailyLimit: z.int().min(0).nullable() });
export const CANCEL = z.strictObject({ reason });
