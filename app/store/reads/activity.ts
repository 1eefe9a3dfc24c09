import { ACTION_NAMES, ACTIONS, aboutOf, type ObjectType } from "~/domain/audit/actions";
import type { ActivityPage, ActivityRow } from "~/domain/audit/feeds";
import type { ActivityFilter } from "~/domain/audit/filter";
import { PAGE_SIZE, SCAN_ROWS } from "~/domain/limits";
import { neededFor } from "~/domain/people/needed";
import { PEOPLE_ADDRESS } from "~/domain/people/people";
import { covers, type Rights } from "~/domain/people/roles";
import { TOKENS_ADDRESS } from "~/domain/people/tokens";
import { readCursor, writeCursor } from "~/domain/query/cursor";
import { parseRange, type Range } from "~/domain/query/times";
import { shownAddress } from "~/domain/webhooks/webhooks";
import { Binds } from "../binds";
import { type Rows, type Statement, type Store, sql } from "../store";
import { during, idsNear } from "./conditions";
import { auditRowOf } from "./job";
import { endOf } from "./list";
import { atOf, REVISION } from "./revision";
import { unionOf } from "./union";

/** Not the rows of single jobs that were changed together with others. */
const DEED = "instr(id, ':') = 0";
const ACTORS_SHOWN = 50;
/** Jobs of a deed that are told by name; of more, how many they are. */
const JOBS_NAMED = 20;

/** What people did, newest first. Who may do what is told to nobody but those who may read the list of it. */
export async function listActivity(store: Store, filter: ActivityFilter, rights: Rights): Promise<ActivityPage> {
  const limit = filter.limit ?? PAGE_SIZE;
  const hidden = LISTS.flatMap(({ by, to }) => (covers(rights, neededFor("GET", by)) ? [] : [to]));
  const [revision, rows = []] = await store.batch([REVISION, pageOf(filter, limit, hidden)]);
  const { hits, row, stopped } = endOf(rows, limit);
  return {
    ...atOf(revision),
    deeds: hits.map((row) => activityRowOf(row, hidden)),
    next: row ? writeCursor({ walk: "older", id: cutAt(row.id as string), inclusive: false }) : null,
    scanned: stopped ? SCAN_ROWS : null,
  };
}

/** What is said of people and tokens stands in lists of their own, with addresses of their own. */
const LISTS: { by: string; to: ObjectType }[] = [
  { by: PEOPLE_ADDRESS, to: "person" },
  { by: TOKENS_ADDRESS, to: "token" },
];

/** Of a job's part in a deed the id of the deed, which stands just before it: a cut between the two is none between others. */
const cutAt = (id: string): string => id.split(":", 1)[0] as string;

/** Everybody who has done something, by name: one row read for each of them. */
export async function readActors(store: Store): Promise<string[]> {
  const next = (than: string) =>
    `SELECT actor FROM audit INDEXED BY audit_actor WHERE ${DEED} ${than} ORDER BY actor LIMIT 1`;
  const [rows] = await store.batch([
    sql(
      `WITH RECURSIVE who(name) AS (
         SELECT (${next("")}) UNION ALL SELECT (${next("AND actor > who.name")}) FROM who WHERE who.name IS NOT NULL LIMIT ?1)
       SELECT name FROM who WHERE name IS NOT NULL`,
      ACTORS_SHOWN,
    ),
  ]);
  return (rows as { name: string }[]).map(({ name }) => name);
}

/**
 * One row more than asked for says whether there are more. What no index serves is looked at row by row, a share of
 * SCAN_ROWS in each: the row where that stops comes back as well, as no hit, and the next page goes on from there.
 */
function pageOf(filter: ActivityFilter, limit: number, hidden: ObjectType[]): Statement {
  const binds = new Binds();
  const range = filter.at === undefined ? null : parseRange(filter.at);
  const { arms, rest } = sourcesOf(filter, range, binds, hidden);
  const share = Math.floor(SCAN_ROWS / arms.length);
  const bounds = [range && idsNear(range, binds), cutOf(filter, binds)].filter(Boolean).map((bound) => ` AND ${bound}`);
  const rows = (arm: string) => `FROM audit INDEXED BY ${arm}${bounds.join("")} ORDER BY id DESC`;
  const found = arms.map(
    (arm, n) =>
      `hits${n} AS MATERIALIZED (SELECT id FROM (SELECT id, (${rest}) AS hit ${rows(arm)} LIMIT ${share}) WHERE hit LIMIT ${limit + 1})`,
  );
  const parts = arms.map(
    (arm, n) =>
      `SELECT id, 1 AS hit FROM hits${n} UNION ALL
       SELECT (SELECT id ${rows(arm)} LIMIT 1 OFFSET ${share - 1}), 0 WHERE (SELECT count(*) FROM hits${n}) <= ${limit}`,
  );
  return sql(
    `WITH ${found.join(", ")}, page AS (${unionOf(parts)})
     SELECT a.id, a.at, a.actor, a.action, a.job_id, a.schedule_id, a.object, a.before, ${AFTER} AS after, a.reason,
       ${NAME} AS name, page.hit
     FROM page CROSS JOIN audit AS a ON a.id = page.id ORDER BY page.id DESC, page.hit DESC`,
    ...binds.params,
  );
}

/** Where the rows lie, and what else each must be. An object is a job, a schedule, or something else: one of three places. */
function sourcesOf({ actor, action, object }: ActivityFilter, range: Range | null, binds: Binds, hidden: ObjectType[]) {
  const within = range && during("at", range, binds);
  const by = (value: string) => `actor = ${binds.add(value)}`;
  const did = (value: string) => `action = ${binds.add(value)}`;
  const all = (rest: (string | null | undefined)[]) => rest.filter(Boolean).join(" AND ") || "true";
  if (object !== undefined) {
    const it = binds.add(object);
    const arms = [
      `audit_job WHERE job_id = ${it}`,
      `audit_schedule WHERE schedule_id = ${it}`,
      `audit_object WHERE object = ${it} AND ${DEED}`,
    ];
    // Found by whom it was done to, a deed would tell to whom.
    const told = ACTION_NAMES.filter((name) => hidden.includes(ACTIONS[name].to)).map((name) => `'${name}'`);
    const seen = told.length > 0 && `action NOT IN (${told.join(", ")})`;
    return { arms, rest: all([within, actor && by(actor), action && did(action), seen || null]) };
  }
  if (actor !== undefined) {
    return { arms: [`audit_actor WHERE ${by(actor)} AND ${DEED}`], rest: all([within, action && did(action)]) };
  }
  const arm = action === undefined ? `audit_deeds WHERE ${DEED}` : `audit_action WHERE ${did(action)} AND ${DEED}`;
  return { arms: [arm], rest: all([within]) };
}

function cutOf({ cursor }: ActivityFilter, binds: Binds): string | null {
  const from = cursor === undefined ? null : readCursor(cursor);
  return from && `id < ${binds.add(from.id)}`;
}

const AFTER = `CASE WHEN json_array_length(a.after, '$.jobs') > ${JOBS_NAMED}
  THEN json_set(a.after, '$.jobs', json_array_length(a.after, '$.jobs')) ELSE a.after END`;

/** Each is looked up by its key: what is not stored costs nothing. */
const NAME = `CASE WHEN a.schedule_id IS NOT NULL THEN (SELECT name FROM schedules WHERE schedules.id = a.schedule_id)
  WHEN a.object IS NOT NULL THEN coalesce(
    (SELECT name FROM watches WHERE watches.id = a.object), (SELECT name FROM endpoints WHERE endpoints.id = a.object),
    (SELECT name FROM alert_rules WHERE alert_rules.id = a.object), (SELECT name FROM files WHERE files.id = a.object))
  ELSE (SELECT coalesce(label, kind) FROM jobs WHERE jobs.id = a.job_id) END`;

function activityRowOf(row: Rows[number], hidden: ObjectType[]): ActivityRow {
  const deed: ActivityRow = {
    ...auditRowOf(row),
    scheduleId: row.schedule_id as string | null,
    object: row.object as string | null,
    name: row.name as string | null,
  };
  const to = aboutOf(deed.action)?.to;
  if (to && hidden.includes(to)) return { ...deed, object: null, name: null, before: null, after: null };
  return { ...deed, before: withShownChannels(deed.before), after: withShownChannels(deed.after) };
}

/** Of rules and watches an earlier release wrote the paths of webhooks as well. */
function withShownChannels(text: string | null): string | null {
  if (!text?.includes('"channels":[')) return text;
  const told = JSON.parse(text) as { channels?: string[] };
  return JSON.stringify({ ...told, channels: told.channels?.map(shownAddress) });
}
