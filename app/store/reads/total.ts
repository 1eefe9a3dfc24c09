import { isCounted, operationsAlone, type Wanted } from "~/domain/query/wanted";
import { BECAME } from "../bulk/bulk";
import { type Statement, sql } from "../store";

/** How many jobs a filter shows, from the numbers that the writes keep; null where none are kept for it. */
export function totalOf(wanted: Wanted): Statement | null {
  const { views, kind, cause } = wanted;
  const operations = operationsAlone(wanted);
  if (operations) {
    return sql(
      `SELECT coalesce(sum(v.value), 0) AS n FROM bulk_operations AS o CROSS JOIN json_each(${BECAME}) AS v
       WHERE o.id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR v.key IN (SELECT value FROM json_each(?2)))`,
      JSON.stringify(operations),
      views && JSON.stringify(views),
    );
  }
  if (!isCounted(wanted)) return null;
  if (cause.in) {
    const shown = views?.length === 0 ? "false" : "cause IN (SELECT value FROM json_each(?))";
    return sql(`SELECT coalesce(sum(n), 0) AS n FROM dead_causes WHERE ${shown}`, JSON.stringify(cause.in));
  }
  return sql(
    `SELECT coalesce(sum(n), 0) AS n FROM job_counts
     WHERE (?1 IS NULL OR view IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR kind IN (SELECT value FROM json_each(?2)))
       AND kind NOT IN (SELECT value FROM json_each(?3))`,
    views && JSON.stringify(views),
    kind.in && JSON.stringify(kind.in),
    JSON.stringify(kind.out),
  );
}
