import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { FILE_STATES } from "~/domain/files/files";
import { LANES } from "~/domain/lanes";
import { OUTCOMES, type OutcomeName, STATE_NAMES, TRIGGERS, type Trigger, VIEW_NAMES } from "~/domain/states";

/**
 * The tables of migrations/, as types: names here are the columns' own. The migrations make the tables (STRICT, WITHOUT
 * ROWID and CHECKs are theirs); a test fails where the two differ.
 */
const triggers = Object.keys(TRIGGERS) as [Trigger, ...Trigger[]];
const outcomes = Object.keys(OUTCOMES) as [OutcomeName, ...OutcomeName[]];
const states = STATE_NAMES as [(typeof STATE_NAMES)[number], ...typeof STATE_NAMES];
const views = VIEW_NAMES as [(typeof VIEW_NAMES)[number], ...typeof VIEW_NAMES];

export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    lane: text({ enum: LANES }).notNull(),
    state: text({ enum: states }).notNull(),
    attempt: integer().notNull().default(0),
    forgiven: integer().notNull().default(0),
    generation: integer().notNull().default(1),
    max_attempts: integer().notNull(),
    trigger: text({ enum: triggers }).notNull().default("first"),
    suspect: integer().notNull().default(0),
    run_at: integer().notNull(),
    expires_at: integer(),
    leased_at: integer(),
    lease_until: integer(),
    token: text().notNull(),
    sent_at: integer(),
    idempotency_key: text(),
    request_hash: text(),
    group_key: text(),
    schedule_id: text(),
    slot_at: integer(),
    fanout_id: text(),
    submitter: text(),
    daily_number: integer(),
    cancel_requested_at: integer(),
    created_at: integer().notNull(),
    finished_at: integer(),
    label: text(),
    cause: text(),
    last_error: text(),
    progress: text(),
    result: text(),
    payload: text().notNull(),
    view: text({ enum: views }).notNull().generatedAlwaysAs(sql`(see the migration)`, { mode: "virtual" }),
    edited_from: text(),
    held_at: integer(),
    operation_id: text(),
  },
  (t) => [
    index("jobs_kind").on(t.kind, t.id),
    index("jobs_edited").on(t.edited_from).where(sql`edited_from IS NOT NULL`),
    index("jobs_finished").on(t.finished_at).where(sql`finished_at IS NOT NULL`),
    index("jobs_to_send").on(t.kind, t.lane, t.sent_at, t.run_at).where(sql`state = 'pending' AND held_at IS NULL`),
    index("jobs_held").on(t.kind, t.group_key, t.run_at).where(sql`state = 'pending' AND held_at IS NOT NULL`),
    index("jobs_group_running").on(t.kind, t.group_key).where(sql`state = 'processing' AND group_key IS NOT NULL`),
    index("jobs_waiting").on(t.view, t.id).where(sql`state = 'pending'`),
    index("jobs_leased").on(t.lease_until).where(sql`state = 'processing'`),
    index("jobs_dead").on(t.id).where(sql`state = 'dead'`),
    index("jobs_dead_by_cause").on(t.cause, t.id).where(sql`state = 'dead'`),
    index("jobs_dead_by_end").on(t.finished_at).where(sql`state = 'dead'`),
    index("jobs_dead_by_cause_end").on(t.cause, t.finished_at).where(sql`state = 'dead'`),
    index("jobs_dead_by_kind").on(t.kind, t.id).where(sql`state = 'dead'`),
    index("jobs_cancelled").on(t.id).where(sql`state = 'cancelled'`),
    index("jobs_expiring").on(t.expires_at).where(sql`state = 'pending' AND expires_at IS NOT NULL`),
    index("jobs_group").on(t.group_key, t.id).where(sql`group_key IS NOT NULL`),
    index("jobs_schedule").on(t.schedule_id, t.id).where(sql`schedule_id IS NOT NULL`),
    index("jobs_operation").on(t.operation_id, t.view, t.id).where(sql`operation_id IS NOT NULL`),
    uniqueIndex("jobs_idempotency").on(t.idempotency_key).where(sql`idempotency_key IS NOT NULL`),
    uniqueIndex("jobs_slot").on(t.schedule_id, t.slot_at).where(sql`slot_at IS NOT NULL`),
    index("jobs_of_schedule").on(t.schedule_id).where(sql`schedule_id IS NOT NULL AND finished_at IS NULL`),
    index("jobs_of_fanout").on(t.fanout_id).where(sql`fanout_id IS NOT NULL AND finished_at IS NULL`),
  ],
);

export const passed_over = sqliteTable(
  "passed_over",
  { id: text().primaryKey(), looked_at: integer().notNull() },
  (t) => [index("passed_over_looked_at").on(t.looked_at)],
);

export const attempts = sqliteTable(
  "attempts",
  {
    job_id: text().notNull(),
    number: integer().notNull(),
    generation: integer().notNull(),
    trigger: text({ enum: triggers }).notNull(),
    started_at: integer().notNull(),
    finished_at: integer().notNull(),
    waited_ms: integer().notNull(),
    outcome: text({ enum: outcomes }).notNull(),
    error: text(),
    stack: text(),
    cause: text(),
    log: text(),
    token: text().notNull(),
    app_version: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.job_id, t.number] })],
);

export const refusals = sqliteTable(
  "refusals",
  {
    job_id: text().notNull(),
    number: integer().notNull(),
    token: text().notNull(),
    at: integer().notNull(),
    outcome: text({ enum: outcomes }).notNull(),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.job_id, t.number, t.token] })],
);

export const effects = sqliteTable(
  "effects",
  {
    job_id: text().notNull(),
    name: text().notNull(),
    started_at: integer().notNull(),
    token: text().notNull(),
    finished_at: integer(),
    result: text(),
  },
  (t) => [primaryKey({ columns: [t.job_id, t.name] })],
);

export const dead_letters = sqliteTable(
  "dead_letters",
  {
    message_id: text().notNull(),
    queue: text().notNull(),
    at: integer().notNull(),
    body: text().notNull(),
    job_id: text(),
    attempt: integer(),
    fate: text({ enum: ["buried", "ignored", "unreadable"] }).notNull(),
    replays: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.message_id, t.queue] }),
    index("dead_letters_at").on(t.at),
    index("dead_letters_job").on(t.job_id, t.attempt).where(sql`job_id IS NOT NULL`),
  ],
);

export const job_counts = sqliteTable(
  "job_counts",
  { kind: text().notNull(), view: text({ enum: views }).notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.kind, t.view] })],
);

export const dead_counts = sqliteTable(
  "dead_counts",
  { cause: text().notNull(), hour: integer().notNull(), n: integer().notNull() },
  (t) => [primaryKey({ columns: [t.cause, t.hour] }), index("dead_counts_none").on(t.hour).where(sql`n = 0`)],
);

export const kinds = sqliteTable("kinds", {
  name: text().primaryKey(),
  paused_at: integer(),
  paused_by: text(),
  pause_reason: text(),
  limits: text(),
  limits_at: integer(),
  limits_by: text(),
  limits_reason: text(),
});

export const groups_to_free = sqliteTable("groups_to_free", {
  kind: text().primaryKey(),
  held_until: integer().notNull(),
});

export const rate_buckets = sqliteTable("rate_buckets", {
  kind: text().primaryKey(),
  level: integer().notNull(),
  per_ms: integer().notNull(),
  at: integer().notNull(),
});

export const site_state = sqliteTable("site_state", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
  chain: text(),
  clock: integer().notNull(),
  replay_until: integer(),
  publication_revision: integer().notNull().default(0),
  keep_days: integer().notNull().default(30),
  keep_dead_days: integer().notNull().default(90),
});

export const leases = sqliteTable("leases", {
  key: text().primaryKey(),
  owner: text(),
  fence: integer().notNull(),
  expires_at: integer().notNull(),
  version: text(),
  retention_at: integer().notNull().default(0),
  kept_at: integer().notNull().default(0),
  kept_id: text().notNull().default(""),
  ended_at: integer(),
  calm_at: integer().notNull().default(0),
  sends_from: integer().notNull().default(0),
  group_limits: text(),
});

export const leftovers = sqliteTable(
  "leftovers",
  { what: text({ enum: ["watch", "schedule"] }).notNull(), id: text().notNull() },
  (t) => [primaryKey({ columns: [t.what, t.id] })],
);

export const sweeps = sqliteTable("sweeps", {
  fence: integer().primaryKey(),
  started_at: integer().notNull(),
  finished_at: integer().notNull(),
  lost: integer().notNull(),
  sent: integer().notNull(),
  resent: integer().notNull(),
  more: integer().notNull(),
  error: text(),
  fired: integer().notNull().default(0),
  lanes: text(),
  expired: integer().notNull().default(0),
  removed: integer().notNull().default(0),
});

export const audit = sqliteTable(
  "audit",
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    job_id: text(),
    before: text(),
    after: text(),
    reason: text(),
    schedule_id: text(),
    object: text().generatedAlwaysAs(sql`(see the migration)`, { mode: "virtual" }),
  },
  (t) => [
    index("audit_job").on(t.job_id, t.id).where(sql`job_id IS NOT NULL`),
    index("audit_schedule").on(t.schedule_id, t.id).where(sql`schedule_id IS NOT NULL`),
    index("audit_deeds").on(t.id).where(sql`instr(id, ':') = 0`),
    index("audit_actor").on(t.actor, t.id).where(sql`instr(id, ':') = 0`),
    index("audit_action").on(t.action, t.id).where(sql`instr(id, ':') = 0`),
    index("audit_object").on(t.object, t.id).where(sql`instr(id, ':') = 0 AND object IS NOT NULL`),
  ],
);

export const submitters = sqliteTable("submitters", { name: text().primaryKey(), daily_limit: integer() });

export const daily_numbers = sqliteTable(
  "daily_numbers",
  {
    submitter: text().notNull(),
    day: integer().notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.submitter, t.day] })],
);

export * from "./alerts";
export * from "./mail";
export * from "./people";
export * from "./schedules";
export * from "./stats";
export * from "./watches";
export * from "./webhooks";

export const publications = sqliteTable("publications", {
  item: text().primaryKey(),
  state: text({ enum: ["published", "withdrawn"] }).notNull(),
  version: integer().notNull(),
  content: text().notNull(),
  picture: text(),
  indexable: integer().notNull(),
  token: text().notNull(),
  published_at: integer().notNull(),
  changed_at: integer().notNull(),
});

export const publication_commits = sqliteTable(
  "publication_commits",
  { item: text().notNull(), version: integer().notNull(), token: text().notNull(), at: integer().notNull() },
  (t) => [primaryKey({ columns: [t.item, t.version] })],
);

export const files = sqliteTable(
  "files",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    state: text({ enum: FILE_STATES }).notNull(),
    size: integer(),
    upload_id: text(),
    reading: text().notNull(),
    created_by: text().notNull(),
    created_at: integer().notNull(),
    stored_at: integer(),
  },
  (t) => [index("files_unfinished").on(t.created_at).where(sql`state <> 'stored'`)],
);

export const file_parts = sqliteTable(
  "file_parts",
  { file_id: text().notNull(), number: integer().notNull(), etag: text().notNull() },
  (t) => [primaryKey({ columns: [t.file_id, t.number] })],
);

export const derived_uploads = sqliteTable(
  "derived_uploads",
  { job_id: text().notNull(), attempt: integer().notNull(), file_id: text().notNull(), upload_id: text().notNull() },
  (t) => [primaryKey({ columns: [t.job_id, t.attempt] })],
);

export const bulk_operations = sqliteTable(
  "bulk_operations",
  {
    id: text().primaryKey(),
    action: text({ enum: ["requeue", "cancel", "delete"] }).notNull(),
    view: text({ enum: views }).notNull(),
    kind: text(),
    cause: text(),
    cutoff: integer().notNull(),
    expected: integer().notNull(),
    pace: integer(),
    state: text({ enum: ["running", "done", "aborted"] }).notNull(),
    cursor: text().notNull().default(""),
    changed: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    actor: text().notNull(),
    reason: text(),
    created_at: integer().notNull(),
    ended_at: integer(),
    q: text(),
    scheduled: integer().notNull().default(0),
    pending: integer().notNull().default(0),
    retrying: integer().notNull().default(0),
    processing: integer().notNull().default(0),
    done: integer().notNull().default(0),
    dead: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
  },
  (t) => [index("bulk_operations_running").on(t.id).where(sql`state = 'running'`)],
);

export const bulk_skips = sqliteTable(
  "bulk_skips",
  { operation_id: text().notNull(), job_id: text().notNull(), reason: text().notNull() },
  (t) => [primaryKey({ columns: [t.operation_id, t.job_id] })],
);

export type JobRecord = typeof jobs.$inferSelect;
export type AttemptRecord = typeof attempts.$inferSelect;
export type RefusalRecord = typeof refusals.$inferSelect;
export type AuditRecord = typeof audit.$inferSelect;
export type SweepRecord = typeof sweeps.$inferSelect;
export type KindRecord = typeof kinds.$inferSelect;
