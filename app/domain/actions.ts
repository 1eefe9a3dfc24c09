import { z } from "zod";
import { REASON_CHARS } from "./limits";

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
/** null: no limit. */
export const DAILY_LIMIT = z.strictObject({ dailyLimit: z.int().min(0).nullable() });
export const CANCEL = z.strictObject({ reason });
