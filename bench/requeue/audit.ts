import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { AT_REST, wrongs } from "../simulate/audit.ts";
import type { Arrival } from "./arrivals.ts";
import { CAUSE, WARM_CAUSE } from "./stock.ts";

/** Stored jobs that nobody means, every column of them and of their attempts: untouched, it is the same. */
export function bystanders(db: DatabaseSync): string {
  const others = `SELECT id FROM jobs WHERE token = 'stock' AND cause IS NOT '${CAUSE}' AND cause IS NOT '${WARM_CAUSE}'`;
  const digest = createHash("sha256");
  for (const rows of ["jobs WHERE id", "attempts WHERE job_id"]) {
    for (const row of db.prepare(`SELECT * FROM ${rows} IN (${others})`).iterate()) digest.update(JSON.stringify(row));
  }
  return digest.digest("hex");
}

type Operation = { state: string; cutoff: number; expected: number; changed: number; skipped: number };
export type Audit = Omit<Operation, "cutoff"> & {
  /** Arrivals that died before the cutoff: meant as well. And those that died of the same cause later. */
  arrivalsMeant: number;
  arrivalsLeft: number;
  arrivals: number;
  attempts: number;
  lost: number;
  wrong: string[];
};

/** Whether exactly what was meant was requeued, once each; nothing else; and everything has ended and is counted. */
export function audit(db: DatabaseSync, operation: string, jobs: number, arrivals: Arrival[]): Audit {
  const wrong: string[] = [];
  const one = <T>(text: string, ...params: string[]) => db.prepare(text).get(...params) as T;
  const expect = (what: string, found: unknown, right: unknown) => {
    if (found !== right) wrong.push(`${what}: ${found}, not ${right}`);
  };
  const { cutoff, ...done } = one<Operation>(
    "SELECT state, cutoff, expected, changed, skipped FROM bulk_operations WHERE id = ?",
    operation,
  );
  // From the history, which no requeue overwrites: who was dead of the cause at the cutoff.
  db.exec(`CREATE TEMP TABLE meant AS SELECT job_id AS id, token = 'stock' AS stock FROM attempts
    WHERE cause = '${CAUSE}' AND generation = 1 AND outcome = 'failed' AND finished_at <= ${cutoff}`);
  db.exec(`CREATE TEMP TABLE requeued AS SELECT job_id AS id, count(*) AS n FROM audit
    WHERE action = 'requeue' AND json_extract(after, '$.operation') = '${operation}' AND job_id IS NOT NULL GROUP BY 1`);
  const count = (what: string) => one<{ n: number }>(`SELECT count(*) AS n FROM ${what}`).n;
  const meant = count("temp.meant");

  expect("the operation", done.state, "done");
  expect("stored jobs that were meant", count("temp.meant WHERE stock"), jobs);
  expect("frozen at the call", done.expected, meant);
  expect("changed", done.changed, meant);
  expect("skipped", done.skipped, 0);
  expect("meant and not requeued", count("temp.meant WHERE id NOT IN (SELECT id FROM temp.requeued)"), 0);
  expect("requeued and not meant", count("temp.requeued WHERE id NOT IN (SELECT id FROM temp.meant)"), 0);
  expect("requeued more than once", count("temp.requeued WHERE n <> 1"), 0);
  expect("meant and not of generation 2", count("jobs JOIN temp.meant USING (id) WHERE generation <> 2"), 0);
  const untouched = `jobs WHERE id NOT IN (SELECT id FROM temp.meant) AND cause IS NOT '${WARM_CAUSE}'
    AND id NOT IN (SELECT job_id FROM attempts WHERE cause = '${WARM_CAUSE}')`;
  expect("not meant and not of generation 1", count(`${untouched} AND generation <> 1`), 0);
  expect("stored, requeued and not done", count("jobs JOIN temp.meant USING (id) WHERE stock AND state <> 'done'"), 0);
  expect(
    "performed more than once",
    count(
      "(SELECT 1 FROM attempts JOIN temp.meant ON id = job_id WHERE outcome = 'done' GROUP BY job_id HAVING count(*) > 1)",
    ),
    0,
  );
  const ends = new Map(
    (db.prepare("SELECT id, state FROM jobs").all() as { id: string; state: string }[]).map((job) => [
      job.id,
      job.state,
    ]),
  );
  for (const { id, dies } of arrivals) {
    if (ends.get(id) !== (dies ? "dead" : "done")) wrong.push(`arrival ${id}: ${ends.get(id)}`);
  }
  for (const law of [...wrongs(false), ...AT_REST]) {
    wrong.push(...(db.prepare(law).all() as { what: string }[]).map(({ what }) => what));
  }
  return {
    ...done,
    arrivalsMeant: count("temp.meant WHERE NOT stock"),
    arrivalsLeft: count(`jobs WHERE state = 'dead' AND cause = '${CAUSE}' AND generation = 1`),
    arrivals: arrivals.length,
    attempts: count("attempts"),
    lost: count("attempts WHERE outcome = 'lost'"),
    wrong,
  };
}
