import { z } from "zod";
import { REASON_CHARS } from "./limits";

const reason = z.string().trim().max(REASON_CHARS).optional();

/** `generation`: requeue only what was looked at; a job that somebody requeued meanwhile is left alone. */
export const REQUEUE = z.strictObject({ generation: z.int().min(1).optional(), reason });
export const CANCEL = z.strictObject({ reason });
