import { VIEW_NAMES } from "../../app/domain/states.ts";
import { RECOUNT, RECOUNTED } from "../../app/testing/recount.ts";

/**
 * What must hold in a database at any moment, between two transactions, as SQL: each answers one row for each thing that
 * is wrong, `what` says it in words. The simulator asks D1, the soak asks the file that D1 has left.
 */
const minus = (kept: string, real: string, columns: string, name: string) =>
  `SELECT '${name} ' || ${columns.split(", ").join(" || ' ' || ")} || ' is off by ' || sum(n) AS what
   FROM (${kept} UNION ALL ${real}) GROUP BY ${columns} HAVING sum(n) <> 0`;

const BECAME = `json_object(${VIEW_NAMES.map((view) => `'${view}', o.${view}`)})`;

/** Each exact number against a recount. */
const NUMBERS = [
  minus("SELECT kind, view, n FROM job_counts", "SELECT kind, view, -1 FROM jobs", "kind, view", "job_counts"),
  minus(
    "SELECT cause, hour, n FROM dead_counts",
    "SELECT cause, finished_at / 3600000 * 3600000, -1 FROM jobs WHERE state = 'dead'",
    "cause, hour",
    "dead_counts",
  ),
  minus("SELECT cause, n FROM dead_causes", "SELECT cause, -1 FROM jobs WHERE state = 'dead'", "cause", "dead_causes"),
  minus(
    "SELECT cause, day + h.key * 3600000 AS hour, h.value AS n FROM dead_days CROSS JOIN json_each(hours) AS h",
    "SELECT cause, finished_at / 3600000 * 3600000, -1 FROM jobs WHERE state = 'dead'",
    "cause, hour",
    "dead_days",
  ),
  minus(
    `SELECT o.id AS operation, v.key AS view, v.value AS n FROM bulk_operations AS o CROSS JOIN json_each(${BECAME}) AS v`,
    "SELECT operation_id, view, -1 FROM jobs WHERE operation_id IS NOT NULL",
    "operation, view",
    "jobs of operation",
  ),
  "SELECT 'dead_days ' || cause || ' ' || day || ' keeps a day on which nobody died' AS what FROM dead_days WHERE hours = '{}'",
];

const OFF = RECOUNTED.map((name) => `iif(sum(${name}) <> 0, ' ${name} by ' || sum(${name}), '')`);
const ALL_GRAINS = `SELECT grain, dead AS n FROM stats WHERE kind = ''
  UNION ALL SELECT g.value, -dead FROM stats CROSS JOIN json_each('[60000, 900000, 3600000]') AS g WHERE grain = 60000 AND kind <> ''`;

/**
 * Each attempt and each late result is counted once in each grain, of its kind and of all together, with how long it ran and
 * waited. Not where jobs were deleted: their numbers stay. Of the dead, each row of one grain against those of another.
 */
const STATISTICS = [
  `SELECT 'stats of ' || iif(kind = '', 'all', kind) || ' by ' || grain || ' are off:' || ${OFF.join(" || ")} AS what
   FROM (SELECT kind, grain, ${RECOUNTED} FROM stats UNION ALL SELECT kind, grain, ${RECOUNTED.map((name) => `-${name}`)} FROM (${RECOUNT}))
   GROUP BY kind, grain HAVING ${RECOUNTED.map((name) => `sum(${name}) <> 0`).join(" OR ")}`,
  `SELECT 'deaths of all by ' || grain || ' are off by ' || sum(n) AS what FROM (${ALL_GRAINS}) GROUP BY grain HAVING sum(n) <> 0`,
];

const HISTORY = [
  // Dense: as many rows as the highest number, and that is the job's own, or the one before while it runs.
  `SELECT 'job ' || jobs.id || ' is at attempt ' || attempt || ' (' || state || ') with rows ' || count(a.number) || ', highest ' || coalesce(max(a.number), 0) AS what
   FROM jobs LEFT JOIN attempts AS a ON a.job_id = jobs.id GROUP BY jobs.id
   HAVING count(a.number) <> attempt - (state = 'processing') OR coalesce(max(a.number), 0) <> attempt - (state = 'processing')`,
  `SELECT 'attempt ' || number || ' has no job ' || job_id AS what FROM attempts
   WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = attempts.job_id)`,
  `SELECT 'job ' || jobs.id || ' is done without an attempt that says so' AS what FROM jobs
   WHERE state = 'done' AND NOT EXISTS (SELECT 1 FROM attempts AS a
     WHERE a.job_id = jobs.id AND a.number = jobs.attempt AND a.outcome = 'done' AND a.generation = jobs.generation)`,
  `SELECT 'job ' || jobs.id || ' went on after an attempt that was done' AS what FROM jobs JOIN attempts AS a ON a.job_id = jobs.id
   WHERE a.outcome = 'done' AND (a.number <> jobs.attempt OR jobs.state NOT IN ('done'))`,
  `SELECT 'job ' || id || ' waits although it was asked to stop' AS what FROM jobs WHERE state = 'pending' AND cancel_requested_at IS NOT NULL`,
  `SELECT 'the publication revision is ' || publication_revision || ', not ' || n AS what
   FROM site_state, (SELECT coalesce(sum(version), 0) AS n FROM publications) WHERE publication_revision <> n`,
  // Deleted jobs keep no word of who did it.
  `SELECT 'operation ' || b.id || ' says ' || changed || ' changed and ' || skipped || ' skipped jobs' AS what FROM bulk_operations AS b
   WHERE skipped <> (SELECT count(*) FROM bulk_skips AS s WHERE s.operation_id = b.id) OR action <> 'delete' AND changed <>
     (SELECT count(*) FROM audit WHERE job_id IS NOT NULL AND json_extract(after, '$.operation') = b.id)`,
  `SELECT 'operation ' || s.operation_id || ' has changed and skipped job ' || s.job_id AS what FROM bulk_skips AS s
   JOIN audit AS a ON a.job_id = s.job_id AND json_extract(a.after, '$.operation') = s.operation_id`,
  `SELECT 'attempt ' || attempt || ' of job ' || job_id || ' was replayed ' || sum(replays) || ' times' AS what FROM dead_letters
   WHERE job_id IS NOT NULL GROUP BY job_id, attempt HAVING sum(replays) > 3`,
  `SELECT 'slot ' || schedule_id || ' ' || slot_at || ' has ' || count(*) || ' jobs' AS what FROM jobs
   WHERE slot_at IS NOT NULL GROUP BY schedule_id, slot_at HAVING count(*) > 1`,
];

/** `deleted`: jobs were deleted by somebody, so that statistics tell of more than is stored. */
export const wrongs = (deleted: boolean): string[] => [...NUMBERS, ...(deleted ? [] : STATISTICS), ...HISTORY];

/** What must be true once everything has come to rest. */
export const AT_REST = [
  `SELECT 'event ' || id || ' is done with ' || n || ' deliveries of ' || json_array_length(payload, '$.endpoints') AS what
   FROM (SELECT id, payload, (SELECT count(*) FROM deliveries AS d WHERE d.fanout_id = jobs.id) AS n FROM jobs
     WHERE kind = 'webhook_fanout' AND state = 'done') WHERE n <> json_array_length(payload, '$.endpoints')`,
  `SELECT 'delivery ' || d.fanout_id || '/' || d.n || ' goes on, and its job has ended' AS what FROM deliveries AS d
   JOIN jobs ON jobs.id = d.job_id WHERE d.status = 'retrying' AND jobs.state = 'done'`,
  `SELECT 'check ' || id || ' has ended and left no history' AS what FROM jobs WHERE kind = 'watch_page' AND state = 'done'
   AND NOT EXISTS (SELECT 1 FROM watch_checks AS c WHERE c.job_id = jobs.id)`,
  `SELECT 'job ' || id || ' of kind ' || kind || ' never ended: ' || state || ', attempt ' || attempt AS what FROM jobs WHERE finished_at IS NULL`,
  `SELECT 'operation ' || b.id || ' is still running, and its job is done' AS what FROM bulk_operations AS b
   JOIN jobs ON jobs.idempotency_key = 'bulk:' || b.id WHERE b.state = 'running' AND jobs.state = 'done'`,
];
