import type { Retention } from "~/domain/retention";
import type { By } from "~/store/reopen";
import { dropLeftovers, findOld, type KeptFrom, type Old, removeJobs, writeRetention } from "~/store/retention";
import type { Engine } from "./engine";
import { insist } from "./trouble/insist";

/** One transaction removes at most so many jobs, and about so many rows; one sweep so long. */
const JOBS = 500;
const ROWS = 5_000;
const FOR_MS = 5_000;
const ROUNDS = 8;
/** Statements of one round, and of what is left over. */
const STATEMENTS = { round: 18, leftovers: 7 };
/** Where nothing is left to be removed. */
const AGAIN_MS = 3_600_000;

/**
 * Removes what has been kept long enough, in bounded steps. Answers how many jobs went, up to where it has looked, and in
 * how many ms there is more to do: at once, or in an hour, so that a minute in between costs nothing. Where a round throws
 * the next sweep looks at the same place again: what went before has gone. So it does where jobs are kept longer by then.
 * `fits`: whether the invocation may make so many statements more.
 */
export async function retain(
  engine: Engine,
  from: KeptFrom,
  fits: (statements: number) => boolean,
): Promise<{ removed: number; keptFrom: KeptFrom; againInMs: number }> {
  const since = engine.localNow();
  const time = () =>
    engine.localNow() - since < FOR_MS && engine.store.used.statements + STATEMENTS.round <= engine.settings.statements;
  let keptFrom = from;
  let removed = 0;
  let [all, more] = [false, false];
  for (let round = 0; !all && (round === 0 ? fits(STATEMENTS.round) : round < ROUNDS && time()); round++) {
    const at = keptFrom;
    const { passed, dead, left } = await insist(engine, "find old jobs", () => findOld(engine.store, at, JOBS));
    const [looked, buried, again] = [within(passed, ROWS), within(dead, ROWS), round === 0 ? within(left, ROWS) : []];
    const chunk = once([...looked.filter(({ state }) => state !== "dead"), ...buried, ...again]);
    await engine.seam("retain: between reading and writing");
    const token = engine.newToken();
    if (chunk.length > 0) {
      const done = await insist(engine, "remove old jobs", () => removeJobs(engine.store, token, chunk));
      removed += done.removed;
      if (done.kept > 0) break;
      more ||= round === 0 && done.removed > 0 && (again.length < left.length || left.length === JOBS);
    }
    const last = looked.at(-1);
    if (last) keptFrom = { at: last.finishedAt, id: last.id };
    all =
      [passed, dead].every(({ length }) => length < JOBS) &&
      looked.length + buried.length === passed.length + dead.length;
  }
  // Jobs first: what is left over is in nobody's way.
  const over =
    fits(STATEMENTS.leftovers) && !(await insist(engine, "drop leftovers", () => dropLeftovers(engine.store)));
  return { removed, keptFrom, againInMs: all && over && !more ? AGAIN_MS : 0 };
}

/** One that was passed over, requeued, and ended again is met twice. */
const once = (jobs: Old[]): Old[] => [...new Map(jobs.map((job) => [job.id, job])).values()];

/** As many of the first as have about so many rows; at least one. */
function within(jobs: Old[], rows: number): Old[] {
  let sum = 0;
  for (const [index, { weight }] of jobs.entries()) {
    sum += weight;
    if (sum > rows && index > 0) return jobs.slice(0, index);
  }
  return jobs;
}

/** For how long ended jobs are kept, from the next sweep on. Recorded with who said so. */
export async function setRetention(engine: Engine, retention: Retention, by: By): Promise<void> {
  const [token, audit] = [engine.newToken(), engine.newId()];
  await insist(engine, "set retention", () => writeRetention(engine.store, token, retention, audit, by));
}
