import { instant } from "~/domain/time";
import { type Rows, type Statement, type Store, sql } from "../store";

/** Opens every read: what is shown with it is exact at this revision, and `now` is D1's clock at that moment. */
export const REVISION: Statement = sql("SELECT revision, {now} AS now FROM site_state WHERE id = 1");

export type At = { revision: number; now: string };

export const atOf = (rows: Rows | undefined): At => ({
  revision: rows?.[0]?.revision as number,
  now: instant(rows?.[0]?.now as number),
});

/** One row: all that an unchanged poll costs. */
export async function readRevision(store: Store): Promise<At> {
  const [rows] = await store.batch([REVISION]);
  return atOf(rows);
}
