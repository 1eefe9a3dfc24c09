import type { Engine } from "~/lifecycle/engine";
import { sweep } from "~/lifecycle/sweep";

/** There is one cron trigger, so the tick needs no look at which one fired. */
export async function onTick(engine: Engine): Promise<void> {
  await sweep(engine);
}
