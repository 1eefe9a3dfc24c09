import type { Lane } from "~/domain/lanes";
import { SEND_AHEAD_MS } from "~/domain/limits";
import { copyOf } from "~/domain/message";
import { troubleOf, untilMidnight } from "~/domain/trouble";
import type { Engine } from "../engine";
import { giveBack } from "./give_back";
import type { Tickets } from "./ticket";

const FIRST_MS = 30_000;
/** A queue of the free plan keeps nothing longer than a day. */
const LONGEST_MS = 23 * 3_600_000;

/**
 * D1 cannot be reached: each unanswered message is replaced by a fresh copy that comes later, 30 s doubling to 5 min; after
 * midnight UTC where the free plan's daily limit is reached.
 * A copy, not a retry: redeliveries are counted by the queue and would end in the dead-letter queue. Only where that
 * send fails too is the message itself given back, each time for longer.
 */
export async function postpone(engine: Engine, lane: Lane, tickets: Tickets, why: unknown): Promise<void> {
  const open = tickets.all();
  const limited = troubleOf(why) === "daily-limit";
  try {
    await engine.lanes.send(
      lane,
      open.map(({ message }) => {
        const hops = message.hops ?? 0;
        return {
          message: copyOf(message, hops + 1),
          delayMs: limited
            ? Math.min(untilMidnight(engine.localNow(), engine.random()), LONGEST_MS)
            : Math.min(FIRST_MS * 2 ** hops, SEND_AHEAD_MS),
        };
      }),
    );
    for (const ticket of open) tickets.done(ticket);
  } catch (error) {
    engine.events({ event: "send.failed", lane, messages: open.length, error: String(error) });
    for (const { raw } of open) giveBack(raw);
  }
}
