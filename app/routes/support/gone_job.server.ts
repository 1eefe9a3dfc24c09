import { data } from "react-router";
import { utcText } from "~/domain/format";
import { idTime } from "~/domain/ids";
import { keptText } from "~/domain/retention";
import type { Engine } from "~/lifecycle/engine";
import { readRetention } from "~/store/retention";

const DAY_MS = 86_400_000;

/** Why there is no job of an id: its time may be over by now, which is told with the times; or there never was one. */
export async function goneJob({ store, localNow }: Engine, id: string) {
  const at = idTime(id);
  const { finishedDays, deadDays } = await readRetention(store);
  const kept = Math.min(...[finishedDays, deadDays].filter((days) => days > 0));
  if (at === null || localNow() - at < kept * DAY_MS) return data({ reason: "no-such-job" }, { status: 404 });
  const text = `By its id it was submitted ${utcText(at)}. Done and cancelled jobs are kept ${keptText(finishedDays)}, dead ones ${keptText(deadDays)}.`;
  return data({ reason: "job-expired", text }, { status: 404 });
}
