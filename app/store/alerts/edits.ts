import { RULES_MAX, type RuleCall } from "~/domain/alerts/alerts";
import { auditRow, type Entry, openOnce } from "../audit";
import { CHAINED } from "../chain";
import { type Statement, type Store, sql } from "../store";

/** How things stand after a write: `mine` tells whether this very call did it. */
export type EditedRule = { mine: number; version: number | null; stored: number };

const COLUMNS = "name, condition, kind, more_than, window_minutes, remind_minutes, channels";
const valuesOf = (call: RuleCall): string =>
  JSON.stringify([
    ...[call.name, call.condition, call.kind ?? null, call.moreThan, call.windowMinutes, call.remindMinutes],
    JSON.stringify(call.channels),
  ]);
const VALUES = COLUMNS.split(", ")
  .map((_, index) => `?3->>${index}`)
  .join(", ");

/** Stores a rule. The same one sent again changes nothing. */
export const insertRule = (
  store: Store,
  token: string,
  { id, origin }: { id: string; origin: string },
  call: RuleCall,
  entry: Entry,
) =>
  edit(store, id, entry, [
    openOnce(
      token,
      entry.id,
      "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM alert_rules WHERE id = ?2) AND (SELECT count(*) FROM alert_rules) < ?3",
      id,
      RULES_MAX,
    ),
    sql(
      `INSERT INTO alert_rules (id, ${COLUMNS}, origin, version, created_at, updated_at)
       SELECT ?2, ${VALUES}, ?4, 1, clock, clock FROM ${CHAINED}`,
      token,
      id,
      valuesOf(call),
      origin,
    ),
    auditRow(token, entry),
  ]);

/** Alerts of a rule that says something else now, or nothing any more: they end, and nobody is told. */
const endAlerts = (token: string, id: string): Statement =>
  sql(
    `UPDATE alerts SET cleared_at = batch.clock, token = ?1 FROM ${CHAINED} AS batch
     WHERE rule_id = ?2 AND cleared_at IS NULL`,
    token,
    id,
  );

/** Changes what was looked at as `version`. What it counts changed: what was open of it is over. */
export const changeRule = (
  store: Store,
  token: string,
  { id, version, origin, counts }: { id: string; version: number; origin: string; counts: "the same" | "others" },
  call: RuleCall,
  entry: Entry,
) =>
  edit(store, id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM alert_rules WHERE id = ?2 AND version = ?3", id, version),
    sql(
      `UPDATE alert_rules SET (${COLUMNS}) = (SELECT ${VALUES}), origin = ?4, version = version + 1, updated_at = batch.clock
       FROM ${CHAINED} AS batch WHERE id = ?2`,
      token,
      id,
      valuesOf(call),
      origin,
    ),
    ...(counts === "others" ? [endAlerts(token, id)] : []),
    auditRow(token, entry),
  ]);

export const disableRule = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM alert_rules WHERE id = ?2 AND disabled_at IS NULL", id),
    sql(`UPDATE alert_rules SET disabled_at = batch.clock FROM ${CHAINED} AS batch WHERE id = ?2`, token, id),
    endAlerts(token, id),
    auditRow(token, entry),
  ]);

export const enableRule = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM alert_rules WHERE id = ?2 AND disabled_at IS NOT NULL", id),
    sql(`UPDATE alert_rules SET disabled_at = NULL WHERE id = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`, token, id),
    auditRow(token, entry),
  ]);

/** Takes the rule away. What it told stays in the history. */
export const removeRule = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM alert_rules WHERE id = ?2", id),
    endAlerts(token, id),
    auditRow(token, entry),
    sql(`DELETE FROM alert_rules WHERE id = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`, token, id),
  ]);

/** All of it is harmless to repeat: the audit entry, by its id, says whether this call has landed. */
async function edit(store: Store, id: string, entry: Entry, batch: Statement[]): Promise<EditedRule> {
  const results = await store.batch([
    ...batch,
    sql(
      `SELECT EXISTS (SELECT 1 FROM audit WHERE id = ?2) AS mine, (SELECT version FROM alert_rules WHERE id = ?1) AS version,
         (SELECT count(*) FROM alert_rules) AS stored`,
      id,
      entry.id,
    ),
  ]);
  return results.at(-1)?.[0] as EditedRule;
}
