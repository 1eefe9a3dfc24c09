import type { View } from "~/domain/states";
import { type Store, sql } from "../store";

/** What is told of jobs that a person has chosen, before something is done with them. */
export type Chosen = { id: string; kind: string; label: string | null; view: View };

export async function readChosen(store: Store, ids: string[]): Promise<Chosen[]> {
  const [rows] = await store.batch([
    sql(
      "SELECT jobs.id, jobs.kind, jobs.label, jobs.view FROM json_each(?1) AS o CROSS JOIN jobs ON jobs.id = o.value",
      JSON.stringify(ids),
    ),
  ]);
  return rows as Chosen[];
}
