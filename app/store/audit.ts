import { CHAINED } from "./chain";
import type { By } from "./reopen";
import { type Statement, sql } from "./store";

/** What a person did, as it is kept. `before` and `after` are what changed, without any secret. */
export type Entry = By & {
  id: string;
  action: string;
  jobId?: string;
  scheduleId?: string;
  before?: object;
  after?: object;
};

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
