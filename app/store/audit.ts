import type { Action } from "~/domain/audit/actions";
import { CHAINED, open } from "./chain";
import type { By } from "./reopen";
import { type Statement, type Store, sql } from "./store";

/** What a person did, as it is kept. `before` and `after` are what changed, without any secret. */
export type Entry = By & {
  id: string;
  action: Action;
  jobId?: string;
  scheduleId?: string;
  before?: object;
  after?: object;
};

/**
 * `open` for what a person does once: false as well where the deed `audit` has landed before. So a batch that comes again
 * after a lost reply does not undo what somebody has done since, and its audit entry says whose it was.
 */
export const openOnce = (token: string, audit: string, guard: string, ...params: Statement["params"]): Statement =>
  open(
    token,
    `SELECT 1 WHERE EXISTS (${guard}) AND NOT EXISTS (SELECT 1 FROM audit WHERE audit.id = ?${params.length + 2})`,
    ...params,
    audit,
  );

/**
 * Whether a deed in the audit made this thing: what was removed since must not come back with the form that made it, sent
 * again. `id`: the parameter that holds its id.
 */
export const madeBefore = (action: Action, id: string): string =>
  `EXISTS (SELECT 1 FROM audit AS made INDEXED BY audit_object
     WHERE made.object = ${id} AND instr(made.id, ':') = 0 AND made.action = '${action}')`;

/** Written with the change of the batch, or not at all. */
export const auditRow = (token: string, entry: Entry): Statement =>
  sql(
    `INSERT INTO audit (id, at, actor, action, job_id, before, after, reason, schedule_id)
     SELECT ?2, clock, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM ${CHAINED}`,
    token,
    entry.id,
    entry.actor,
    entry.action,
    entry.jobId ?? null,
    entry.before === undefined ? null : JSON.stringify(entry.before),
    entry.after === undefined ? null : JSON.stringify(entry.after),
    entry.reason ?? null,
    entry.scheduleId ?? null,
  );

/** Kept under an id that says when, who and what, so that the same again within its minute is no second row. */
export async function noteRefused(store: Store, id: string, actor: string, asked: object): Promise<void> {
  await store.batch([
    sql(
      "INSERT INTO audit (id, at, actor, action, after) VALUES (?1, {now}, ?2, 'refused', ?3) ON CONFLICT DO NOTHING",
      id,
      actor,
      JSON.stringify(asked),
    ),
  ]);
}
