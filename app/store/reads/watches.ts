import { channelsOf, shownChannel } from "~/domain/channels";
import { PAGE_SIZE } from "~/domain/limits";
import { timingText } from "~/domain/schedules/cron_text";
import { timingOf } from "~/domain/schedules/schedule";
import { preview } from "~/domain/text";
import { instant, instantOrNull } from "~/domain/time";
import type { CheckRow, WatchDetail, WatchList, WatchRow } from "~/domain/watches/feeds";
import { WATCHES_MAX } from "~/domain/watches/watch";
import type { watch_checks, watches } from "../schema/schema";
import { type Rows, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

type Stored = typeof watches.$inferSelect;
type StoredCheck = typeof watch_checks.$inferSelect;

const LIST_CHARS = 200;

/** All watches, newest first. */
export async function listWatches(store: Store): Promise<WatchList> {
  const [revision, rows = []] = await store.batch([
    REVISION,
    sql(
      `SELECT id, name, url, selector, attribute, compare, cron, every_minutes, anchor_at, time_zone, version, due_at, paused_at,
         paused_by, checked_at, changed_at, failures, last_error, number, substr(value, 1, ${LIST_CHARS + 1}) AS value
       FROM watches ORDER BY id DESC LIMIT ?1`,
      WATCHES_MAX,
    ),
  ]);
  return {
    ...atOf(revision),
    watches: rows.map((row) => {
      const { value, ...rest } = watchRowOf(row);
      return { ...rest, value: value === null ? null : preview(value, LIST_CHARS) };
    }),
  };
}

/** One watch with its newest checks, or those before slot `before`; null: there is no such watch. */
export async function readWatch(
  store: Store,
  id: string,
  { before = Number.MAX_SAFE_INTEGER, limit = PAGE_SIZE }: { before?: number; limit?: number } = {},
): Promise<WatchDetail | null> {
  const [revision, found, checking, checks = []] = await store.batch([
    REVISION,
    sql("SELECT * FROM watches WHERE id = ?1", id),
    sql(
      `SELECT jobs.id FROM watches AS w CROSS JOIN jobs ON jobs.idempotency_key = 'watch/' || w.id || '/' || w.due_at
       WHERE w.id = ?1 AND jobs.finished_at IS NULL`,
      id,
    ),
    sql(
      "SELECT * FROM watch_checks WHERE watch_id = ?1 AND slot_at < ?2 ORDER BY slot_at DESC LIMIT ?3",
      id,
      before,
      limit + 1,
    ),
  ]);
  const stored = found?.[0] as Stored | undefined;
  if (!stored) return null;
  const shown = checks.slice(0, limit).map(checkRowOf);
  return {
    ...atOf(revision),
    ...watchRowOf(stored),
    checking: (checking?.[0]?.id as string | undefined) ?? null,
    tells: channelsOf(JSON.parse(stored.channels)).map((channel) => ({
      type: channel.type,
      target: shownChannel(channel),
    })),
    createdAt: instant(stored.created_at),
    updatedAt: instant(stored.updated_at),
    checks: shown,
    next: checks.length > limit ? (shown.at(-1)?.slotAt ?? null) : null,
  };
}

function watchRowOf(row: Rows[number]): WatchRow {
  const stored = row as Stored;
  const timing = {
    cron: stored.cron,
    everyMinutes: stored.every_minutes,
    anchorAt: stored.anchor_at,
    timeZone: stored.time_zone,
  };
  return {
    id: stored.id,
    name: stored.name,
    url: stored.url,
    selector: stored.selector,
    attribute: stored.attribute,
    compare: stored.compare,
    cron: stored.cron,
    everyMinutes: stored.every_minutes,
    anchor: instantOrNull(stored.anchor_at),
    timeZone: stored.time_zone,
    text: timingText(timingOf(timing)),
    version: stored.version,
    nextAt: instantOrNull(stored.due_at),
    paused: stored.paused_at === null ? null : { at: instant(stored.paused_at), by: stored.paused_by },
    checkedAt: instantOrNull(stored.checked_at),
    changedAt: instantOrNull(stored.changed_at),
    failures: stored.failures,
    lastError: stored.last_error,
    value: stored.value,
    number: stored.number,
  };
}

function checkRowOf(row: Rows[number]): CheckRow {
  const stored = row as StoredCheck;
  return {
    slotAt: instant(stored.slot_at),
    at: instant(stored.at),
    outcome: stored.outcome,
    jobId: stored.job_id,
    httpStatus: stored.http_status,
    missed: stored.missed,
    number: stored.number,
    told: stored.told === null ? [] : JSON.parse(stored.told),
    error: stored.error,
    previous: stored.previous,
    value: stored.value,
  };
}
