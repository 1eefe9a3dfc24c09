import { type Cursor, readCursor, turnedRound, type Walk, writeCursor } from "~/domain/cursor";
import type { JobPage } from "~/domain/feeds";
import type { JobFilter } from "~/domain/filter";
import { PAGE_SIZE, SCAN_ROWS } from "~/domain/limits";
import { type Rows, type Statement, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";
import { jobRowOf, LIST_COLUMNS } from "./row";
import { type Source, sourceOf } from "./sources";

/** A page of jobs by id, newest first unless asked otherwise. Throws at a cursor that no page gave out. */
export async function listJobs(store: Store, filter: JobFilter): Promise<JobPage> {
  const limit = filter.limit ?? PAGE_SIZE;
  const down: Walk = filter.order === "oldest" ? "newer" : "older";
  const from = filter.cursor === undefined ? null : readCursor(filter.cursor);
  if (filter.cursor !== undefined && from === null) throw new RangeError("no list has given out this cursor");
  const walk = from?.walk ?? down;

  const source = sourceOf(filter);
  const page = source.rest ? scanned(source, source.rest, walk, from, limit) : indexed(source, walk, from, limit);
  const [revision, rows = []] = await store.batch([REVISION, page]);

  const hits = rows.filter((row) => row.hit === 1).slice(0, limit);
  const end = endOf(rows, limit);
  const far: Cursor | null = end && { walk, id: end.id as string, inclusive: false };
  const near = from && turnedRound(from);
  const [previous, next] = walk === down ? [near, far] : [far, near];
  if (walk !== down) hits.reverse();
  return {
    ...atOf(revision),
    jobs: hits.map(jobRowOf),
    next: next && writeCursor(next),
    previous: previous && writeCursor(previous),
    scanned: end !== null && end.n === SCAN_ROWS ? SCAN_ROWS : null,
  };
}

/** One row more than asked for is read: it says whether there are more. */
function indexed({ arms }: Source, walk: Walk, from: Cursor | null, limit: number): Statement {
  const parts = arms.map((arm) => rangeOf(arm, "id", walk, from, limit + 1));
  const ids =
    parts.length === 1
      ? (parts[0] as Statement)
      : sql(
          `${parts.map((part) => `SELECT id FROM (${part.sql})`).join(" UNION ALL ")} ORDER BY id ${ORDER[walk]} LIMIT ?`,
          ...parts.flatMap((part) => part.params),
          limit + 1,
        );
  return rowsOf(sql(`SELECT id, 1 AS hit, 0 AS n FROM (${ids.sql})`, ...ids.params), walk);
}

/**
 * Looks at the rows of one index one by one, stops at a full page, and at SCAN_ROWS in any case: the row it stops at comes
 * back as well, hit or not, since the next page goes on from there.
 */
function scanned({ arms }: Source, rest: Statement, walk: Walk, from: Cursor | null, limit: number): Statement {
  const columns = sql(`id, (${rest.sql}) AS hit, row_number() OVER (ORDER BY id ${ORDER[walk]}) AS n`, ...rest.params);
  const range = rangeOf(arms[0], columns, walk, from, SCAN_ROWS);
  return rowsOf(
    sql(`SELECT id, hit, n FROM (${range.sql}) WHERE hit OR n = ? LIMIT ?`, ...range.params, SCAN_ROWS, limit + 1),
    walk,
  );
}

function rangeOf(
  arm: Source["arms"][0],
  columns: Statement | string,
  walk: Walk,
  from: Cursor | null,
  limit: number,
): Statement {
  const picked = typeof columns === "string" ? sql(columns) : columns;
  const bound = from ? sql(`id ${walk === "older" ? "<" : ">"}${from.inclusive ? "=" : ""} ?`, from.id) : sql("true");
  return sql(
    `SELECT ${picked.sql} FROM jobs ${arm.index ? `INDEXED BY ${arm.index}` : ""}
     WHERE ${arm.where.sql} AND ${bound.sql} ORDER BY id ${ORDER[walk]} LIMIT ?`,
    ...picked.params,
    ...arm.where.params,
    ...bound.params,
    limit,
  );
}

/** Ids come from the index alone; only what is shown is looked up. */
const rowsOf = (ids: Statement, walk: Walk): Statement =>
  sql(
    `WITH page AS (${ids.sql})
     SELECT ${LIST_COLUMNS}, page.hit, page.n FROM page CROSS JOIN jobs ON jobs.id = page.id ORDER BY page.id ${ORDER[walk]}`,
    ...ids.params,
  );

/** The last row that this page answers for, or null where the walk came to its end. */
function endOf(rows: Rows, limit: number): Rows[number] | null {
  const hits = rows.filter((row) => row.hit === 1);
  if (hits.length > limit) return hits[limit - 1] as Rows[number];
  return rows.find((row) => row.n === SCAN_ROWS) ?? null;
}

const ORDER = { older: "DESC", newer: "ASC" } as const;
