import { type Store, sql } from "./store";

/** A write that changes nothing: throws what every write would. */
export async function tryToWrite(store: Store): Promise<void> {
  await store.batch([sql("UPDATE site_state SET id = id WHERE id = 1")]);
}
