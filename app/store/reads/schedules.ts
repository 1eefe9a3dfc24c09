import { type Cursor, readCursor, turnedRound, type Walk, writeCursor } from "~/domain/query/cursor";
import { timingText } from "~/domain/schedules/cron_text";
import type { SchedulePage, ScheduleRow, SlotRow } from "~/domain/schedules/feeds";
import { timingOf } from "~/domain/schedules/schedule";
import { instant, instantOrNull } from "~/domain/time";
import type { ScheduleRecord, SlotRecord } from "../schema/schema";
import { type Rows, type Statement, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

/** Slots that a list shows of each schedule. */
const RECENT_SLOTS = 30;
const SCHEDULE_PAGE_SIZE = 25;

/** All but the payload: a list does not touch it. */
const SCHEDULE_COLUMNS = `id, name, cron, every_minutes, anchor_at, time_zone, kind, version, due_at, paused_at, paused_by,
  error, error_at`;
type Stored = Omit<ScheduleRecord, "payload">;

/** Schedules by id, newest first, each with its newest slots. Throws at a cursor that no page gave out. */
export async function listSchedules(
  store: Store,
  { cursor, limit = SCHEDULE_PAGE_SIZE }: { cursor?: string; limit?: number },
): Promise<SchedulePage> {
  const from = cursor === undefined ? null : readCursor(cursor);
  if (cursor !== undefined && from === null) throw new RangeError("no list has given out this cursor");
  const walk = from?.walk ?? "older";
  // One row more than asked for: it says whether there are more.
  const page = pageOf(walk, from, limit + 1);
  const [revision, found = [], slots = []] = await store.batch([
    REVISION,
    page,
    sql(
      `WITH page AS (${page.sql})
       SELECT slots.* FROM page CROSS JOIN slots ON slots.schedule_id = page.id AND slots.slot_at IN (
         SELECT slot_at FROM slots AS s WHERE s.schedule_id = page.id ORDER BY slot_at DESC LIMIT ${RECENT_SLOTS})
       ORDER BY slots.schedule_id, slots.slot_at DESC`,
      ...page.params,
    ),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? (rows.at(-1)?.id as string) : null;
  const far: Cursor | null = last === null ? null : { walk, id: last, inclusive: false };
  const near = from && turnedRound(from);
  const [previous, next] = walk === "older" ? [near, far] : [far, near];
  if (walk === "newer") rows.reverse();
  return {
    ...atOf(revision),
    schedules: rows.map((row) =>
      scheduleRowOf(
        row,
        slots.filter((slot) => slot.schedule_id === row.id),
      ),
    ),
    next: next && writeCursor(next),
    previous: previous && writeCursor(previous),
  };
}

function pageOf(walk: Walk, from: Cursor | null, limit: number): Statement {
  const bound = from ? sql(`id ${walk === "older" ? "<" : ">"}${from.inclusive ? "=" : ""} ?`, from.id) : sql("true");
  const order = walk === "older" ? "DESC" : "ASC";
  return sql(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE ${bound.sql} ORDER BY id ${order} LIMIT ?`,
    ...bound.params,
    limit,
  );
}

export function scheduleRowOf(row: Rows[number], slots: Rows): ScheduleRow {
  const stored = row as unknown as Stored;
  return {
    id: stored.id,
    name: stored.name,
    cron: stored.cron,
    everyMinutes: stored.every_minutes,
    anchor: instantOrNull(stored.anchor_at),
    timeZone: stored.time_zone,
    text: timingText(timingOf(timesOf(stored))),
    kind: stored.kind,
    version: stored.version,
    nextAt: stored.paused_at === null ? instantOrNull(stored.due_at) : null,
    paused: stored.paused_at === null ? null : { at: instant(stored.paused_at), by: stored.paused_by },
    error: stored.error === null ? null : { at: instant(stored.error_at as number), text: stored.error },
    recent: slots.map(slotRowOf),
  };
}

export const timesOf = (stored: Pick<Stored, "cron" | "every_minutes" | "anchor_at" | "time_zone">) => ({
  cron: stored.cron,
  everyMinutes: stored.every_minutes,
  anchorAt: stored.anchor_at,
  timeZone: stored.time_zone,
});

function slotRowOf(row: Rows[number]): SlotRow {
  const slot = row as unknown as SlotRecord;
  return {
    slotAt: instant(slot.slot_at),
    fate: slot.fate,
    decidedAt: instant(slot.decided_at),
    throughAt: instantOrNull(slot.through_at),
    n: slot.n,
    jobId: slot.job_id,
    error: slot.error,
  };
}
