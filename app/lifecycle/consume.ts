import type { Lane } from "~/domain/lanes";
import { postpone } from "./batch/postpone";
import { CLAIM_STATEMENTS, SETTLE_STATEMENTS, Shift } from "./batch/shift";
import { sortOut } from "./batch/sort_out";
import { type Ticket, Tickets } from "./batch/ticket";
import { START_WITHIN_MS, waveOf } from "./batch/wave";
import { lay } from "./bury";
import { claim } from "./claim";
import type { Engine } from "./engine";
import { feedIfHalfEmpty } from "./feed";
import { metricsOf } from "./lanes";
import { sendAgain } from "./send";

/** What becomes of those that a round does not start, and what is left at the end: looked up, ended, handed back, fed. */
const OTHER_STATEMENTS = 8;

/**
 * Performs a batch of one lane. Claims it in waves, runs and settles each, acknowledges a message once D1 holds its
 * job's next step; then the suspects one by one; hands back what it has no time for. Never throws: a handler that throws
 * gets its acknowledged messages again.
 */
export async function consume(engine: Engine, lane: Lane, batch: MessageBatch): Promise<void> {
  const backlog = metricsOf(batch.metadata?.metrics);
  engine.lanes.note(lane, backlog);
  const tickets = new Tickets(batch);
  const shift = new Shift(engine, lane, (job) => tickets.of(job)?.raw);
  const suspects: Ticket[] = [];
  let unsent = false;

  let [rounds, begun] = [0, 0];
  const outOfTime = () =>
    engine.localNow() - shift.startedAt >= START_WITHIN_MS ||
    engine.store.used.statements >= engine.settings.statements;
  // Who cannot settle what it has begun loses its attempt, and is a suspect for it.
  const fits = ({ message }: Ticket) => {
    const own = engine.kinds.get(message.kind)?.statements ?? 0;
    const wanted = CLAIM_STATEMENTS + own + SETTLE_STATEMENTS + OTHER_STATEMENTS;
    return engine.store.used.statements + wanted <= engine.settings.mostStatements;
  };

  async function perform(wave: Ticket[], alone: boolean): Promise<void> {
    rounds++;
    const askedAt = engine.localNow();
    const answer = await claim(
      engine,
      lane,
      wave.map(({ message: { jobId, attempt, kind } }) => ({ id: jobId, attempt, kind })),
      alone,
    );
    unsent ||= answer.unsent;
    begun += answer.claimed.length;
    const mine = new Set(answer.claimed.map((job) => job.id));
    const others = wave.filter(({ message }) => !mine.has(message.jobId));
    // At once, beside the work: what is over a limit must not look as if it were on its way while others work for minutes.
    const [worked, sorted] = await Promise.allSettled([
      shift.work(answer.claimed, askedAt),
      others.length > 0 ? sortOut(engine, lane, others, tickets, alone) : null,
    ]);
    if (worked.status === "rejected") throw worked.reason;
    for (const ticket of wave) if (mine.has(ticket.message.jobId)) tickets.done(ticket);
    if (sorted.status === "rejected") throw sorted.reason;
    suspects.push(...(sorted.value?.suspects ?? []));
    unsent ||= sorted.value?.overLimit ?? false;
  }

  try {
    await lay(engine, batch.queue, tickets.takeUnreadable());
    let line = tickets.all();
    while (line.length > 0 && !outOfTime() && (rounds === 0 || fits(line[0] as Ticket))) {
      const left = engine.settings.statements - engine.store.used.statements;
      const wave = waveOf(engine, line, engine.localNow() - shift.startedAt, left);
      line = line.slice(wave.length);
      await perform(wave, false);
    }
    // A job that took its worker down before runs with nobody beside it, after all others are safe.
    // Where no other was begun the first is, in any case: a batch of nothing but suspects would be handed on for ever.
    for (let first = true; suspects.length > 0; first = false) {
      const inTime = !outOfTime() || (first && line.length === 0);
      if (!(first && begun === 0) && !(inTime && fits(suspects[0] as Ticket))) break;
      await perform([suspects.shift() as Ticket], true);
    }
    const back = [...line, ...suspects];
    await sendAgain(
      engine,
      lane,
      back.map(({ message }) => ({ id: message.jobId, attempt: message.attempt - 1 })),
    );
    for (const ticket of back) tickets.done(ticket);
    if (unsent) await feedIfHalfEmpty(engine, lane, backlog);
  } catch (error) {
    engine.events({ event: "database.unreachable", step: "consume", error: String(error) });
    await postpone(engine, lane, tickets, error);
  }
}
