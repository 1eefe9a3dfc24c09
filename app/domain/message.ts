/** A queue message says "perform attempt n of this job". It carries no payload: D1 is the truth, the queue a doorbell. */
export type Message = {
  v: 1;
  jobId: string;
  attempt: number;
  kind: string;
  /**
   * Of the job when this was sent; left out where it is the first. No claim asks for it. A dead letter does: it may end
   * the generation that it was sent for, and none that a person has opened since.
   */
  generation?: number;
  /** How often this message was copied because D1 could not be reached. */
  hops?: number;
};

type Named = { id: string; attempt: number; kind: string; generation: number };

/** The message that asks for the next attempt; `attempt`: how many were made so far. */
export const nextMessage = ({ id, attempt, kind, generation }: Named): Message =>
  messageFor(id, attempt + 1, kind, { generation });

export const messageFor = (
  jobId: string,
  attempt: number,
  kind: string,
  { generation = 1, hops = 0 }: { generation?: number; hops?: number } = {},
): Message => ({ v: 1, jobId, attempt, kind, ...(generation > 1 && { generation }), ...(hops > 0 && { hops }) });

/** The same message once more, copied `hops` times by now. */
export const copyOf = ({ jobId, attempt, kind, generation }: Message, hops: number): Message =>
  messageFor(jobId, attempt, kind, { generation, hops });

/** Unknown extra fields are ignored: a newer release may have added them. Anything else that does not fit is null. */
export function parseMessage(body: unknown): Message | null {
  if (misfitOf(body) !== null) return null;
  const { jobId, attempt, kind, generation, hops } = body as Message;
  const whole = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined);
  return messageFor(jobId, attempt, kind, { generation: whole(generation), hops: whole(hops) });
}

/** Why a body is no message that this release understands, in words; null: it is one. */
export function misfitOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return "it is no message of this system";
  const { v, jobId, attempt, kind } = body as Record<string, unknown>;
  if (v === undefined) return "it is no message of this system: it says no version";
  if (v !== 1) return `this release reads version 1 of messages, this one is of version ${JSON.stringify(v)}`;
  if (typeof jobId !== "string") return "it names no job";
  if (typeof kind !== "string") return "it names no kind";
  return Number.isSafeInteger(attempt) && (attempt as number) >= 1 ? null : "its attempt is no number from 1";
}
