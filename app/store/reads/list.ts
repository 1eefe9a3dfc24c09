import type { JobPage } from "~/domain/feeds";
import { PAGE_SIZE, SCAN_ROWS } from "~/domain/limits";
import { type Cursor, readCursor, turnedRound, type Walk, writeCursor } from "~/domain/query/cursor";
import type { JobFilter } from "~/domain/query/filter";
import { fitsSort, type Sort, wantedOf } from "~/domain/query/wanted";
import { instant } from "~/domain/time";
import { Binds } from "../binds";
import { type Rows, type Statement, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";
import { briefRowOf, jobRowOf, LIST_COLUMNS } from "./row";
import { apartAt } from "./since";
import { type Arm, rowsOf, type Source, sourceOf } from "./sources";
import { totalOf } from "./total";
import { unionOf } from "./union";

/** What a page asks for beside its filter. */
type Ask = { walk: Walk; from: Cursor | null; limit: number; sort: Sort };

/** A page of jobs by id or by end, newest first unless asked otherwise. Throws at a cursor that no such page gave out. */
export async function listJobs(store: Store, filter: JobFilter): Promise<JobPage> {
  const wanted = wantedOf(filter);
  const { sort } = wanted;
  const limit = filter.limit ?? PAGE_SIZE;
  const down: Walk = filter.order === "oldest" ? "newer" : "older";
  const from = filter.cursor === undefined ? null : readCursor(filter.cursor);
  const since = filter.since === undefined ? null : readCursor(filter.since);
  for (const [given, cut] of [
    [filter.cursor, from],
    [filter.since, since],
  ] as const) {
    if (given !== undefined && !(cut && fitsSort(cut, sort))) throw new RangeError("no list has given out this cursor");
  }
  const walk = from?.walk ?? down;

  const binds = new Binds();
  const source = sourceOf(wanted, binds);
  const total = totalOf(wanted);
  const select = pageOf(source, { walk, from, limit, sort }, binds);
  const [revision, rows = [], counted] = await store.batch([REVISION, select, ...(total ? [total] : [])]);

  const end = endOf(rows, limit);
  const far = end.row ? cursorOf(end.row, walk, sort) : null;
  const near = from && turnedRound(from);
  const cuts = walk === down ? { previous: near, next: far } : { previous: far, next: near };
  if (walk !== down) end.hits.reverse();
  const page = { rows: end.hits, fresh: 0, ...cuts };
  const {
    rows: shown,
    fresh,
    previous,
    next,
  } = since ? apartAt(since, page, (row) => cursorOf(row, down, sort)) : page;
  return {
    ...atOf(revision),
    jobs: shown.map(filter.brief ? briefRowOf : jobRowOf),
    fresh,
    next: next && writeCursor(next),
    previous: previous && writeCursor(previous),
    scanned: end.stopped ? SCAN_ROWS : null,
    reach: source.rest && end.row ? instant(end.row[COLUMN[sort]] as number) : null,
    total: counted ? (counted[0]?.n as number) : null,
  };
}

/**
 * Of each arm one row more than asked for: it says whether there are more. Where rows are looked at one by one, an arm
 * stops at a full page, and at its share of SCAN_ROWS in any case: the row it stops at then comes back as well, as no hit,
 * since the next page goes on from there. Ids come from the index alone; only what comes back is looked up.
 */
function pageOf({ arms, rest }: Source, { walk, from, limit, sort }: Ask, binds: Binds): Statement {
  const order = sort === "finished" ? `finished_at ${WAY[walk]}, id ${WAY[walk]}` : `id ${WAY[walk]}`;
  const cut = from ? cutOf(from, walk, binds) : "true";
  const share = Math.floor(SCAN_ROWS / arms.reduce((sum, { each }) => sum + (each?.n ?? 1), 0));
  const rows = (arm: Arm) => `${rowsOf(arm)} AND ${cut} ORDER BY ${order}`;
  const hits = (arm: Arm) =>
    rest
      ? `SELECT id FROM (SELECT id, (${rest}) AS hit ${rows(arm)} LIMIT ${share}) WHERE hit LIMIT ${limit + 1}`
      : `SELECT id ${rows(arm)} LIMIT ${limit + 1}`;
  const stop = (arm: Arm, of: string) =>
    rest ? `UNION ALL SELECT (SELECT id ${rows(arm)} LIMIT 1 OFFSET ${share - 1}), 0 ${of} <= ${limit}` : "";
  const found = arms.map(
    (arm, n) =>
      `hits${n} AS MATERIALIZED (${
        arm.each
          ? `SELECT value, (SELECT json_group_array(id) FROM (${hits(arm)})) AS ids FROM json_each(${arm.each.of}) AS part`
          : hits(arm)
      })`,
  );
  const parts = arms.map((arm, n) =>
    arm.each
      ? `SELECT hit.value AS id, 1 AS hit FROM hits${n} CROSS JOIN json_each(ids) AS hit
         ${stop(arm, `FROM hits${n} AS part WHERE json_array_length(ids)`)}`
      : `SELECT id, 1 AS hit FROM hits${n} ${stop(arm, `WHERE (SELECT count(*) FROM hits${n})`)}`,
  );
  return sql(
    `WITH ${found.join(", ")}, page AS (${unionOf(parts)})
     SELECT ${LIST_COLUMNS}, page.hit FROM page CROSS JOIN jobs ON jobs.id = page.id
     ORDER BY ${order.replace(/(finished_at|id)/g, "jobs.$1")}, page.hit DESC`,
    ...binds.params,
  );
}

function cutOf({ inclusive, id, at }: Cursor, walk: Walk, binds: Binds): string {
  const than = `${walk === "older" ? "<" : ">"}${inclusive ? "=" : ""}`;
  return at === undefined
    ? `id ${than} ${binds.add(id)}`
    : `(finished_at, id) ${than} (${binds.add(at)}, ${binds.add(id)})`;
}

/** What the page shows, and the last row that it answers for: none where the walk came to its end. */
export function endOf(rows: Rows, limit: number) {
  // A part that stopped early knows nothing of what comes after: no row of another part beyond that place counts yet.
  const stop = rows.findIndex((row) => row.hit === 0);
  const hits = (stop < 0 ? rows : rows.slice(0, stop)).filter((row) => row.hit === 1);
  if (hits.length > limit) return { hits: hits.slice(0, limit), row: hits[limit - 1], stopped: false };
  return { hits, row: rows[stop], stopped: stop >= 0 };
}

const cursorOf = (row: Rows[number], walk: Walk, sort: Sort): Cursor => ({
  walk,
  id: row.id as string,
  inclusive: false,
  ...(sort === "finished" && { at: row.finished_at as number }),
});

const WAY = { older: "DESC", newer: "ASC" } as const;
const COLUMN = { created: "created_at", finished: "finished_at" } as const;
