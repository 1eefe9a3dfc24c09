import { z } from "zod";
import { REASON_CHARS } from "../limits";
import { REPLAY_MINUTES_MAX } from "./letters";

const reason = z.string().trim().max(REASON_CHARS).optional();

/** Which dead letter is to be sent again. */
export const REPLAY = z.strictObject({
  messageId: z.string().min(1).max(200),
  queue: z.string().min(1).max(63),
  reason,
});
/** For how long dead letters are sent again instead of ending their jobs; 0: no longer. */
export const REPLAYING = z.strictObject({ minutes: z.int().min(0).max(REPLAY_MINUTES_MAX), reason });
