import { idTime } from "~/domain/ids";
import type { Lane } from "~/domain/lanes";
import { copyOf } from "~/domain/message";
import { lookUp, type Unclaimed } from "~/store/claims";
import { holdJobs } from "~/store/sends";
import type { Engine } from "../engine";
import { expire } from "../expire";
import { knownTo } from "../limits/known";
import { sendAgain } from "../send";
import type { Ticket, Tickets } from "./ticket";

const YOUNG_MS = 60_000;
const COPY_DELAY_MS = 30_000;

/**
 * What becomes of messages whose claim got nothing: looked up once, all together.
 *   moved on or final     acknowledged
 *   expired               acknowledged, the job ends: dead
 *   held                  acknowledged, the row becomes unsent: sent when its kind runs again, or has room for it
 *   suspect               returned: to be claimed alone, later
 *   early, or free again  a fresh message with the delay that is left
 *   no such job           one fresh copy while its id is young (the row may not be visible yet), else logged
 */
export async function sortOut(
  engine: Engine,
  lane: Lane,
  wave: Ticket[],
  tickets: Tickets,
  alone: boolean,
): Promise<{ suspects: Ticket[]; overLimit: boolean }> {
  const rows = await lookUp(
    engine.store,
    wave.map(({ message }) => message.jobId),
  );
  const jobs = new Map(rows.map((job) => [job.id, job]));
  const piles = {
    gone: [] as Ticket[],
    expired: [] as Ticket[],
    held: [] as Ticket[],
    suspect: [] as Ticket[],
    again: [] as Ticket[],
    orphan: [] as Ticket[],
  };
  for (const ticket of wave) piles[pileOf(engine, ticket, jobs.get(ticket.message.jobId), alone)].push(ticket);

  const asked = (pile: Ticket[]) => pile.map(({ message }) => ({ id: message.jobId, attempt: message.attempt - 1 }));
  if (piles.held.length > 0) {
    await engine.seam("sort out: before hold");
    const held = await holdJobs(engine.store, asked(piles.held), knownTo(engine));
    // A place was left meanwhile, or a start came back.
    piles.again.push(...piles.held.filter(({ message }) => !held.has(message.jobId)));
  }
  await expire(
    engine,
    piles.expired.map(({ message }) => ({
      id: message.jobId,
      kind: message.kind,
      attempt: message.attempt - 1,
      expiresAt: jobs.get(message.jobId)?.expiredAt as number,
    })),
  );
  await sendAgain(engine, lane, asked(piles.again));
  await copyOrphans(engine, lane, piles.orphan);
  for (const ticket of wave) if (!piles.suspect.includes(ticket)) tickets.done(ticket);
  // Starts come back by themselves: messages that wait for them should be on their way.
  const overLimit = piles.held.some(({ message }) => jobs.get(message.jobId)?.paused === 0);
  return { suspects: piles.suspect, overLimit };
}

function pileOf(engine: Engine, { message }: Ticket, job: Unclaimed | undefined, alone: boolean) {
  if (!job) return "orphan";
  if (job.state !== "pending" || job.attempt !== message.attempt - 1) return "gone";
  if (job.expiredAt !== null) return "expired";
  if (job.paused || !engine.kinds.has(message.kind)) return "held";
  if (job.dueInMs > 0) return "again";
  if (job.suspect && !alone) return "suspect";
  if (job.limited) engine.limited.add(message.kind);
  return job.limited || knownTo(engine).limited.has(message.kind) ? "held" : "again";
}

async function copyOrphans(engine: Engine, lane: Lane, orphans: Ticket[]): Promise<void> {
  const young = orphans.filter(
    ({ message }) => !message.hops && engine.localNow() - (idTime(message.jobId) ?? 0) < YOUNG_MS,
  );
  if (young.length > 0) {
    await engine.lanes.send(
      lane,
      young.map(({ message }) => ({
        message: copyOf(message, 1),
        delayMs: COPY_DELAY_MS,
      })),
    );
  }
  for (const { message, raw } of orphans) {
    if (young.some((ticket) => ticket.raw === raw)) continue;
    engine.events({
      event: "message.orphan",
      messageId: raw.id,
      deliveries: raw.attempts,
      jobId: message.jobId,
      attempt: message.attempt,
      kind: message.kind,
    });
  }
}
