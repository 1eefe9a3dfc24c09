import type { By } from "~/store/reopen";
import { writeDailyLimit } from "~/store/submitters";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

/** How many jobs a submitter may submit a day (UTC); null lifts the limit. Recorded with who did it. */
export async function setDailyLimit(engine: Engine, name: string, dailyLimit: number | null, by: By): Promise<void> {
  const audit = engine.newId();
  await insist(engine, "set limit", () => writeDailyLimit(engine.store, name, dailyLimit, audit, by));
}
