/** One guard: what is cut out of the statements' text (each clause must be found), and the seed that catches it gone. */
export type Break = { cut: [clause: string, instead?: string][]; seed: number };

/**
 * The guards that hold the promises, each with the clause that is it. The simulator cuts one and must find that out: a
 * guard whose loss nobody notices is either not needed or not tested.
 */
export const BREAKS: Record<string, Break> = {
  "claim: attempt": { cut: [["AND jobs.attempt + 1 = o.value AND +jobs.state", "AND +jobs.state"]], seed: 27 },
  "claim: state": {
    cut: [["jobs.attempt + 1 = o.value AND +jobs.state = 'pending'", "jobs.attempt + 1 = o.value"]],
    seed: 18,
  },
  "claim: due": {
    cut: [
      ["AND jobs.run_at <= batch.clock AND", "AND"],
      ["+jobs.state = 'pending'\n  AND jobs.run_at <= {now} AND", "+jobs.state = 'pending'\n  AND"],
    ],
    seed: 24,
  },
  "claim: deadline": {
    cut: [
      ["AND (jobs.expires_at IS NULL OR jobs.expires_at > batch.clock)"],
      ["AND (jobs.expires_at IS NULL OR jobs.expires_at > {now})"],
    ],
    seed: 10,
  },
  "expiry: attempt and state": {
    cut: [["AND jobs.attempt = o.value->>1 AND +jobs.state = 'pending'\n  AND jobs.expires_at", "AND jobs.expires_at"]],
    seed: 15,
  },
  "claim: known kind": { cut: [["AND jobs.kind IN (SELECT value FROM json_each(?3))"]], seed: 10 },
  "claim: pause": {
    cut: [["AND NOT EXISTS (SELECT 1 FROM kinds WHERE kinds.name = jobs.kind AND kinds.paused_at IS NOT NULL)"]],
    seed: 16,
  },
  "settle: lease run out": { cut: [["AND (?3 = 0 OR jobs.lease_until <= batch.clock)", "AND ?3 >= 0"]], seed: 67 },
  "settle: cancel request": {
    cut: [
      ["= 'pending' AND cancel_requested_at IS NOT NULL THEN 'cancelled'", "= 'pending' AND false THEN 'cancelled'"],
      ["<> 'pending' OR cancel_requested_at IS NOT NULL THEN", "<> 'pending' THEN"],
    ],
    seed: 1,
  },
  "chain: settle token": {
    cut: [
      [
        "(SELECT clock FROM site_state WHERE id = 1 AND chain = ?1)",
        "(SELECT clock FROM site_state WHERE id = 1 AND ?1 <> '')",
      ],
    ],
    seed: 0,
  },
  "statistics: each by how long it ran": { cut: [["sum(n * (run IS 0))", "0"]], seed: 2 },
  "statistics: each by how long it waited": { cut: [["sum(n * (wait IS 10))", "0"]], seed: 8 },
  "statistics: late results": { cut: [["sum(n * (outcome = 'refused'))", "0"]], seed: 11 },
  "statistics: deaths": { cut: [["sum(n * (outcome = 'dead'))", "0"]], seed: 0 },
  "submit: conflict of keys": {
    cut: [["\n    WHERE jobs.request_hash <> k.value->>2)", "\n    WHERE false AND jobs.request_hash <> k.value->>2)"]],
    seed: 2,
  },
  "sweep: backlog": {
    cut: [
      ["jobs.sent_at <= min({now} - ?3, ?4)", "jobs.sent_at <= {now} - ?3"],
      ["jobs.sent_at <= min({now} - ?3, ?5)", "jobs.sent_at <= {now} - ?3"],
    ],
    seed: 135,
  },
  "sweep: one at a time": { cut: [["WHERE key = 'sweep' AND expires_at <= {now}", "WHERE key = 'sweep'"]], seed: 0 },
  "requeue: state": {
    cut: [["AND jobs.generation = ?3 AND +jobs.state IN ('dead', 'cancelled')", "AND jobs.generation = ?3"]],
    seed: 0,
  },
  "settle: attempt and claim token": {
    cut: [["AND jobs.attempt = o.value->>1 AND jobs.token = o.value->>2\n", "\n"]],
    seed: 67,
  },
  "settle: only what landed counts": {
    cut: [["jobs ON jobs.id = o.value AND jobs.token = ?1", "jobs ON jobs.id = o.value"]],
    seed: 43,
  },
  "claim: suspects alone": { cut: [["AND (?4 OR jobs.suspect = 0)", "AND (?4 OR true)"]], seed: 7 },
  "effect: recorded once": {
    cut: [["result = excluded.result WHERE finished_at IS NULL", "result = excluded.result"]],
    seed: 435,
  },
  "heartbeat: attempt and claim token": {
    cut: [
      [
        "AND jobs.attempt = o.value->>1 AND jobs.token = o.value->>2 AND +jobs.state = 'processing'\n       RETURNING",
        "AND +jobs.state = 'processing'\n       RETURNING",
      ],
    ],
    seed: 11,
  },
  "heartbeat: cancel request": {
    cut: [["RETURNING id, cancel_requested_at IS NOT NULL AS cancelRequested", "RETURNING id, 0 AS cancelRequested"]],
    seed: 8,
  },
  "cancel: who runs is asked once": {
    cut: [
      [
        "jobs.id = ?2 AND +jobs.state = 'processing' AND jobs.cancel_requested_at IS NULL",
        "jobs.id = ?2 AND +jobs.state = 'processing'",
      ],
    ],
    seed: 48,
  },
  "bulk: who runs is asked once": {
    cut: [["AND +jobs.state = 'processing' AND jobs.cancel_requested_at IS NULL", "AND +jobs.state = 'processing'"]],
    seed: 16,
  },
  "requeue: generation": {
    cut: [["jobs.id = ?2 AND jobs.generation = ?3 AND", "jobs.id = ?2 AND ?3 > 0 AND"]],
    seed: 9,
  },
  "bury: attempt": { cut: [["AND jobs.attempt = o.value->>4 - 1 AND", "AND"]], seed: 153 },
  "effect: held": {
    cut: [
      [
        "SELECT {now} AS now FROM jobs WHERE jobs.id = ?1 AND jobs.attempt = ?2 AND jobs.token = ?3 AND +jobs.state = 'processing'",
        "SELECT {now} AS now FROM jobs WHERE jobs.id = ?1 AND ?2 > 0 AND ?3 <> ''",
      ],
    ],
    seed: 3,
  },
  "guarded write: held": {
    cut: [
      [
        "SELECT 1 FROM jobs WHERE jobs.id = ?2 AND jobs.attempt = ?3 AND jobs.token = ?4 AND +jobs.state = 'processing'",
        "SELECT 1 FROM jobs WHERE jobs.id = ?2 AND ?3 > 0 AND ?4 <> ''",
      ],
    ],
    seed: 99,
  },
  "bury: generation": {
    cut: [["AND jobs.generation = o.value->>5\n  AND +jobs.state = 'pending'", "AND +jobs.state = 'pending'"]],
    seed: 41,
  },
  "bulk: goes on": {
    cut: [["AND o.state = 'running' AND o.cursor = ?3", "AND ?3 IS NOT NULL"]],
    seed: 90,
  },
  "bulk: remembered by its jobs": {
    cut: [["operation_id = coalesce(?3, operation_id)", "operation_id = iif(?3 IS NULL, NULL, operation_id)"]],
    seed: 2,
  },
  "bulk: how its jobs stand": {
    cut: [["WHEN (old.operation_id IS NOT NULL OR new.operation_id IS NOT NULL)", "WHEN old.operation_id IS NOT NULL"]],
    seed: 2,
  },
  "bulk: cutoff": { cut: [["AND jobs.finished_at <= ?", "AND 0 <= ?"]], seed: 18 },
  "bulk: cutoff among those that wait": {
    cut: [["WHEN 'requeue' THEN jobs.run_at\n", "WHEN 'requeue' THEN jobs.created_at\n"]],
    seed: 34,
  },
  "claim: places of a kind": {
    cut: [
      [
        "coalesce((own.l ->> 'running') - coalesce((SELECT n FROM job_counts WHERE job_counts.kind = own.kind AND view = 'processing'), 0), 1000000)",
        "1000000",
      ],
    ],
    seed: 4,
  },
  "claim: places of a group": {
    cut: [["group_key IS NULL OR in_group <= per_group", "true OR in_group <= per_group"]],
    seed: 20,
  },
  "claim: starts of a rate": {
    cut: [["coalesce(CASE WHEN own.l ->> 'jobs' IS NOT NULL THEN", "coalesce(CASE WHEN false THEN"]],
    seed: 4,
  },
  "claim: starts are spent": { cut: [["- spent.n * (spent.l ->> 'perMs')", "- 0 * spent.n"]], seed: 4 },
  "group: let go": {
    cut: [["AND (old.state = 'processing' OR (old.state = 'pending' AND old.held_at IS NULL))", "AND false"]],
    seed: 4,
  },
};
