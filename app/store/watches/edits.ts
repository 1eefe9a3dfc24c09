import { sameTarget, WATCHES_MAX, type WatchDefinition } from "~/domain/watches/watch";
import { auditRow, type Entry, openOnce } from "../audit";
import { CHAINED } from "../chain";
import { dropHistory } from "../retention";
import { type Statement, type Store, sql } from "../store";
import type { Watch } from "./watches";

/** How things stand after a write: `mine` tells whether this very call did it. */
export type Edited = { mine: number; version: number | null; dueAt: number | null; stored: number };

/** A definition in the order of its columns. */
const COLUMNS = "name, url, selector, attribute, compare, cron, every_minutes, anchor_at, time_zone, channels";
const valuesOf = (d: WatchDefinition): string =>
  JSON.stringify([
    ...[d.name, d.url, d.selector, d.attribute, d.compare, d.cron, d.everyMinutes, d.anchorAt, d.timeZone],
    JSON.stringify(d.channels),
  ]);
const VALUES = COLUMNS.split(", ")
  .map((_, index) => `?3->>${index}`)
  .join(", ");

/** Stores a watch. The same one sent again changes nothing. */
export const createWatch = (
  store: Store,
  token: string,
  { id, origin, dueAt }: { id: string; origin: string; dueAt: number },
  definition: WatchDefinition,
  entry: Entry,
) =>
  edit(store, id, entry, [
    openOnce(
      token,
      entry.id,
      `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM watches WHERE id = ?2) AND (SELECT count(*) FROM watches) < ?3`,
      id,
      WATCHES_MAX,
    ),
    sql(
      `INSERT INTO watches (id, ${COLUMNS}, origin, version, due_at, created_at, updated_at)
       SELECT ?2, ${VALUES}, ?4, 1, ?5, clock, clock FROM ${CHAINED}`,
      token,
      id,
      valuesOf(definition),
      origin,
      dueAt,
    ),
    auditRow(token, entry),
  ]);

/** What the page was asked for has changed: nothing that was seen before can be compared with what comes. */
const FORGET = ", hash = NULL, value = NULL, number = NULL, etag = NULL, last_modified = NULL, failures = 0";

/**
 * Changes what was looked at. `dueAt`: null leaves the next slot as it is. One that a person has paused stays paused; one
 * that stopped by itself (`paused_by` is NULL) goes on.
 */
export const updateWatch = (
  store: Store,
  token: string,
  was: Watch,
  definition: WatchDefinition,
  { origin, dueAt }: { origin: string; dueAt: number | null },
  entry: Entry,
) =>
  edit(store, was.id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM watches WHERE id = ?2 AND version = ?3", was.id, was.version),
    sql(
      `UPDATE watches SET (${COLUMNS}) = (SELECT ${VALUES}), origin = ?4, version = version + 1,
         due_at = CASE WHEN paused_by IS NULL THEN coalesce(?5, due_at) END,
         last_error = CASE WHEN paused_at IS NULL OR paused_by IS NOT NULL THEN last_error END,
         paused_at = CASE WHEN paused_by IS NOT NULL THEN paused_at END, updated_at = batch.clock
         ${sameTarget(was, definition) ? "" : FORGET}
       FROM ${CHAINED} AS batch WHERE id = ?2`,
      token,
      was.id,
      valuesOf(definition),
      origin,
      dueAt,
    ),
    auditRow(token, entry),
  ]);

/** A check that is under way ends as it would; no other follows. */
export const pauseWatch = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM watches WHERE id = ?2 AND paused_at IS NULL", id),
    sql(
      `UPDATE watches SET paused_at = batch.clock, paused_by = ?3, due_at = NULL FROM ${CHAINED} AS batch WHERE id = ?2`,
      token,
      id,
      entry.actor,
    ),
    auditRow(token, entry),
  ]);

/** Goes on at `dueAt`, which lies ahead: what came meanwhile is no burst. */
export const resumeWatch = (
  store: Store,
  token: string,
  { id, version }: { id: string; version: number },
  dueAt: number,
  entry: Entry,
) =>
  edit(store, id, entry, [
    openOnce(
      token,
      entry.id,
      "SELECT 1 FROM watches WHERE id = ?2 AND version = ?3 AND paused_at IS NOT NULL",
      id,
      version,
    ),
    sql(
      `UPDATE watches SET paused_at = NULL, paused_by = NULL, due_at = ?3,
         last_error = CASE WHEN failures > 0 THEN last_error END WHERE id = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`,
      token,
      id,
      dueAt,
    ),
    auditRow(token, entry),
  ]);

/** A slot of this very moment, unless one is due or being checked already. */
export const askForCheck = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM watches WHERE id = ?2 AND (due_at IS NULL OR due_at > {now})", id),
    sql(`UPDATE watches SET due_at = batch.clock FROM ${CHAINED} AS batch WHERE id = ?2`, token, id),
    auditRow(token, entry),
  ]);

/** Takes the watch away, and its history, a long one by and by. Its jobs stay. */
export const removeWatch = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM watches WHERE id = ?2", id),
    auditRow(token, entry),
    ...dropHistory("watch", token, id),
    sql(`DELETE FROM watches WHERE id = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`, token, id),
  ]);

/** All of it is harmless to repeat: the audit entry, by its id, says whether this call has landed. */
async function edit(store: Store, id: string, entry: Entry, batch: Statement[]): Promise<Edited> {
  const results = await store.batch([
    ...batch,
    sql(
      `SELECT EXISTS (SELECT 1 FROM audit WHERE id = ?2) AS mine, (SELECT version FROM watches WHERE id = ?1) AS version,
         (SELECT due_at FROM watches WHERE id = ?1) AS dueAt, (SELECT count(*) FROM watches) AS stored`,
      id,
      entry.id,
    ),
  ]);
  return results.at(-1)?.[0] as Edited;
}
