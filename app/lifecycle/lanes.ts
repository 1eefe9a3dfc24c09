import type { Lane } from "~/domain/lanes";
import { LANE_MESSAGES } from "~/domain/limits";
import type { Message } from "~/domain/message";
import type { LaneStandings } from "~/store/sweeps";

export type Outgoing = { message: Message; delayMs: number };
/** What a lane says of itself. Best effort: `undefined` is "not known", and no decision to send rests on it. */
export type LaneMetrics = { messages: number | undefined; oldestAt: number | undefined };

export type Lanes = {
  /** Sends all of it, in calls of 100. Throws at the first call that fails: then some may be sent and some not. */
  send: (lane: Lane, outgoing: Outgoing[]) => Promise<void>;
  /** Never throws: what cannot be read is not known. */
  metrics: (lane: Lane | "dead") => Promise<LaneMetrics>;
  /** How many more messages the lane should take, by its last known backlog. */
  room: (lane: Lane) => number;
  /** What somebody else has seen of the lane's backlog: a batch in hand tells it for nothing. */
  note: (lane: Lane, metrics: LaneMetrics) => void;
};

const CALL_MESSAGES = 100;
const KNOWN_FOR_MS = 10_000;
/** Last known backlogs: of this isolate, over its invocations. Only a hint, and soon forgotten. */
const known = new Map<Lane, { messages: number; at: number }>();

export function lanesOf(queues: Record<Lane, Queue>, dead: Queue): Lanes {
  const note = (lane: Lane, { messages }: LaneMetrics) => {
    if (messages !== undefined) known.set(lane, { messages, at: Date.now() });
  };
  return {
    note,
    async send(lane, outgoing) {
      for (let i = 0; i < outgoing.length; i += CALL_MESSAGES) {
        const answer = await queues[lane].sendBatch(
          outgoing.slice(i, i + CALL_MESSAGES).map(({ message, delayMs }) => ({
            body: message,
            contentType: "json" as const,
            delaySeconds: Math.max(0, Math.ceil(delayMs / 1000)),
          })),
        );
        note(lane, metricsOf(answer?.metadata?.metrics));
      }
    },
    async metrics(lane) {
      try {
        const metrics = metricsOf(await (lane === "dead" ? dead : queues[lane]).metrics());
        if (lane !== "dead") note(lane, metrics);
        return metrics;
      } catch {
        return { messages: undefined, oldestAt: undefined };
      }
    },
    room(lane) {
      const last = known.get(lane);
      const messages = last && Date.now() - last.at < KNOWN_FOR_MS ? last.messages : 0;
      return Math.max(0, LANE_MESSAGES - messages);
    },
  };
}

export function metricsOf(
  metrics: { backlogCount?: number; oldestMessageTimestamp?: Date | number } | undefined,
): LaneMetrics {
  const count = metrics?.backlogCount;
  const oldest = Number(metrics?.oldestMessageTimestamp);
  return {
    messages: typeof count === "number" && Number.isFinite(count) ? count : undefined,
    // 0 means "none or unknown": not a time.
    oldestAt: Number.isFinite(oldest) && oldest > 0 ? oldest : undefined,
  };
}

/** For a lane that does not tell its backlog: enough to get on, too little to flood it. */
const SENT_BLINDLY = 1_000;
/** The oldest message that a lane still holds was written more than this later than those that must be gone. */
const MARGIN_MS = 30_000;

export const standingsOf = (metrics: ReadonlyMap<Lane, LaneMetrics>): LaneStandings =>
  Object.fromEntries(
    [...metrics].map(([lane, { messages, oldestAt }]) => [lane, [messages ?? null, oldestAt ?? null]]),
  );

export const roomIn = (metrics: LaneMetrics | undefined): number =>
  metrics?.messages === undefined ? SENT_BLINDLY : Math.max(0, LANE_MESSAGES - metrics.messages);

/**
 * Messages sent up to this moment are not in the lane any more: now where it is empty, a margin before its oldest
 * message otherwise. null where the lane does not say: then nothing is sent again on a guess.
 */
export function goneUntil({ messages, oldestAt }: LaneMetrics): number | null {
  if (messages === 0) return Number.MAX_SAFE_INTEGER;
  return oldestAt === undefined ? null : oldestAt - MARGIN_MS - 1;
}
