import { dayStart, KEPT_STATS_MS, type Published, pictureOf, reportOf } from "~/domain/report/report";
import {
  commitPublication,
  type Held,
  type Next,
  type Publication,
  readForReport,
  releaseLease,
  takeLease,
} from "~/store/publications";
import type { Engine } from "./engine";
import { insist } from "./trouble/insist";

const LEASE_MS = 180_000;
export const itemOf = (day: string): string => `report:${day}`;

/**
 * Publishes the report of a finished day, once: whoever else tries at the same moment finds the lease taken, and later the
 * item published. `update` makes it anew from today's numbers, also one that was withdrawn; where nothing changed, nothing is
 * counted. Losing the
 * lease between read and commit changes nothing. `indexable`: search engines may list it; never taken back. Of a day whose
 * numbers are dropped by now what stands is kept: made anew it would be empty.
 */
export const publishReport = (
  engine: Engine,
  day: string,
  options: { update?: boolean; indexable?: boolean } = {},
): Promise<Published> =>
  change(engine, day, (standing, { stats, causes, now }) => {
    // Withdrawn by a person: no schedule brings it back.
    if (standing && !options.update) return null;
    const dropped = (dayStart(day) as number) < now - KEPT_STATS_MS;
    const report = reportOf(day, stats, causes);
    const content = standing && dropped ? standing.content : JSON.stringify(report);
    const picture = standing && dropped ? null : pictureOf(report);
    const indexable = options.indexable ? 1 : 0;
    const same = standing?.state === "published" && standing.content === content && indexable <= standing.indexable;
    return same ? null : { state: "published", content, picture, indexable };
  });

/** Takes a published report back. Its picture and content stay in the ledger. */
export const withdrawReport = (engine: Engine, day: string): Promise<Published> =>
  change(engine, day, (standing) =>
    standing?.state === "published"
      ? { state: "withdrawn", content: standing.content, picture: null, indexable: 0 }
      : null,
  );

type Numbers = Awaited<ReturnType<typeof readForReport>>;

async function change(
  engine: Engine,
  day: string,
  decide: (standing: Publication | null, numbers: Numbers) => Next | null,
): Promise<Published> {
  const start = dayStart(day);
  if (start === null) throw new RangeError(`"${day}" is no day: give it as 2026-11-28`);
  const item = itemOf(day);
  const owner = engine.newToken();
  const fence = await insist(engine, "take lease", () => takeLease(engine.store, item, owner, LEASE_MS));
  if (fence === null) return { kind: "lease_lost", item };
  const numbers = await readForReport(engine.store, item, start);
  const { standing } = numbers;
  const next = decide(standing, numbers);
  if (next === null) {
    await insist(engine, "release lease", () => releaseLease(engine.store, item, fence));
    return { kind: "unchanged", item, version: standing?.version ?? 0 };
  }
  await engine.seam("publish: between read and commit");
  return commit(engine, { item, owner, fence }, standing?.version ?? 0, next);
}

/** What was read back decides, not the number of rows a statement touched. */
async function commit(engine: Engine, held: Held, expected: number, next: Next): Promise<Published> {
  const token = engine.newToken();
  const { item } = held;
  const answer = await insist(engine, "publish", () => commitPublication(engine.store, token, held, expected, next));
  if (answer.committed) return { kind: "published", item, version: expected + 1 };
  return { kind: answer.held ? "conflict" : "lease_lost", item };
}
