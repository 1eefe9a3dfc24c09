import { type Rows, type Statement, sql } from "~/store/store";
import { wrongs } from "./audit";

export type JobRow = {
  id: string;
  kind: string;
  lane: string;
  state: string;
  attempt: number;
  generation: number;
  suspect: number;
  run_at: number;
  sent_at: number | null;
  lease_until: number | null;
  token: string;
  cancel_requested_at: number | null;
  cause: string | null;
  max_attempts: number;
  created_at: number;
  idempotency_key: string | null;
  /** Its length and its beginning. */
  payload: string;
  submitter: string | null;
  daily_number: number | null;
  expires_at: number | null;
  group_key: string | null;
  held_at: number | null;
  view: string;
  finished_at: number | null;
  operation_id: string | null;
};
export type AttemptRow = { job_id: string; number: number; generation: number; outcome: string; token: string };

export type OperationRow = {
  id: string;
  view: string;
  kind: string | null;
  cause: string | null;
  q: string | null;
  cutoff: number;
  state: string;
  cursor: string;
  changed: number;
  skipped: number;
};

/** The whole database, as far as the laws ask for it, right after a commit and in its transaction. */
export type Snapshot = {
  jobs: Map<string, JobRow>;
  /** By `job/number`. */
  attempts: Map<string, AttemptRow>;
  /** `job/number/claim token`. */
  refusals: Set<string>;
  /** Finished ones by `job/name`, with their results. */
  effects: Map<string, string | null>;
  paused: Set<string>;
  operations: Map<string, OperationRow>;
  /** `operation/job`. */
  skips: Set<string>;
  revision: number;
  publicationRevision: number;
  published: number;
  /** `job/attempt/step` of rows that kinds wrote with their settle. */
  committed: string[];
  /** `job/attempt` of rows that they wrote while they held their attempt. */
  guarded: Set<string>;
  /** Of the numbers that are kept: jobs that died. */
  died: number;
  /** Of the sweep: who holds it until when. */
  lease: { owner: string | null; fence: number; expiresAt: number };
  wrong: string[];
};

const COLUMNS = [
  "id",
  "kind",
  "lane",
  "state",
  "attempt",
  "generation",
  "suspect",
  "run_at",
  "sent_at",
  "lease_until",
  "token",
  "cancel_requested_at",
  "cause",
  "max_attempts",
  "created_at",
  "idempotency_key",
  "payload",
  "submitter",
  "daily_number",
  "expires_at",
  "group_key",
  "held_at",
  "view",
  "finished_at",
  "operation_id",
] as const satisfies (keyof JobRow)[];

const OPERATION = [
  "id",
  "view",
  "kind",
  "cause",
  "q",
  "cutoff",
  "state",
  "cursor",
  "changed",
  "skipped",
] as const satisfies (keyof OperationRow)[];

/** Tables of the simulator itself. No key on the first: what is written twice is to be seen. */
export const OWN_TABLES = [
  "CREATE TABLE IF NOT EXISTS sim_committed (job_id TEXT NOT NULL, attempt INTEGER NOT NULL, step INTEGER NOT NULL CHECK (step >= 0)) STRICT",
  "CREATE TABLE IF NOT EXISTS sim_guarded (job_id TEXT NOT NULL, attempt INTEGER NOT NULL, PRIMARY KEY (job_id, attempt)) STRICT",
];

const list = (row: string, from: string) => `(SELECT json_group_array(${row}) FROM ${from})`;
const columns = COLUMNS.map((name) => (name === "payload" ? "length(payload) || substr(payload, 1, 60)" : name));

const snapshot = (deleted: boolean) => `SELECT
  ${list(`json_array(${columns})`, "jobs")} AS jobs,
  ${list("json_array(job_id, number, generation, outcome, token)", "attempts")} AS attempts,
  ${list("job_id || '/' || number || '/' || token", "refusals")} AS refusals,
  ${list("json_array(job_id || '/' || name, result)", "effects WHERE finished_at IS NOT NULL")} AS effects,
  ${list("name", "kinds WHERE paused_at IS NOT NULL")} AS paused,
  ${list(`json_object(${OPERATION.map((name) => `'${name}', ${name}`)})`, "bulk_operations")} AS operations,
  ${list("operation_id || '/' || job_id", "bulk_skips")} AS skips,
  (SELECT revision FROM site_state) AS revision, (SELECT publication_revision FROM site_state) AS publicationRevision,
  (SELECT coalesce(sum(version), 0) FROM publications) AS published,
  ${list("job_id || '/' || attempt || '/' || step", "sim_committed")} AS committed,
  ${list("job_id || '/' || attempt", "sim_guarded")} AS guarded,
  (SELECT coalesce(sum(dead), 0) FROM stats WHERE kind = '' AND grain = 60000) AS died,
  (SELECT json_object('owner', owner, 'fence', fence, 'expiresAt', expires_at) FROM leases WHERE key = 'sweep') AS lease,
  ${wrongs(deleted).map((query, i) => `${list("what", `(${query})`)} AS wrong${i}`)}`;

const WHOLE = snapshot(false);
const AFTER_DELETIONS = snapshot(true);

export const readSnapshot = (deleted: boolean): Statement => sql(deleted ? AFTER_DELETIONS : WHOLE);

export function parseSnapshot(rows: Rows): Snapshot {
  const row = rows[0] as Rows[number];
  const parse = <T>(name: string): T => JSON.parse(row[name] as string) as T;
  const jobs = parse<unknown[][]>("jobs").map(
    (values) => Object.fromEntries(COLUMNS.map((name, i) => [name, values[i]])) as JobRow,
  );
  const attempts = parse<[string, number, number, string, string][]>("attempts").map(
    ([job_id, number, generation, outcome, token]) => ({ job_id, number, generation, outcome, token }),
  );
  return {
    jobs: new Map(jobs.map((job) => [job.id, job])),
    attempts: new Map(attempts.map((one) => [`${one.job_id}/${one.number}`, one])),
    refusals: new Set(parse<string[]>("refusals")),
    effects: new Map(parse<[string, string | null][]>("effects")),
    paused: new Set(parse<string[]>("paused")),
    operations: new Map(parse<OperationRow[]>("operations").map((one) => [one.id, one])),
    skips: new Set(parse<string[]>("skips")),
    revision: Number(row.revision),
    publicationRevision: Number(row.publicationRevision),
    published: Number(row.published),
    committed: parse("committed"),
    guarded: new Set(parse<string[]>("guarded")),
    died: Number(row.died),
    lease: parse("lease"),
    wrong: Object.keys(row).flatMap((name) => (name.startsWith("wrong") ? parse<string[]>(name) : [])),
  };
}
