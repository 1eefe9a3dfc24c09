import type { EffectRow } from "~/domain/feeds";
import { duration, plural } from "~/domain/format";
import type { Tone } from "~/domain/states";
import { Time } from "../time/time";
import { Card } from "../ui/card";
import { Dot } from "../ui/dot";

/** What the job did outside, each at most once: what is recorded is not done again, whoever requeues it. */
export const EffectsCard = ({ effects, running }: { effects: EffectRow[]; running: boolean }) => (
  <Card title="Effects" flush aside={plural(effects.length, "outside effect")}>
    <ul className="flex flex-col py-2">
      {effects.map((effect) => (
        <li key={effect.name} className="flex gap-3 px-4 py-2">
          <Dot tone={standing(effect, running).tone} className="mt-1.5" />
          <div className="flex min-w-0 flex-1 flex-col gap-0.5">
            <p className="flex flex-wrap items-baseline gap-x-2.5">
              <span className="font-mono text-sm wrap-anywhere">{effect.name}</span>
              <span className="text-sm text-kumo-subtle">{standing(effect, running).text}</span>
              <span className="ml-auto text-sm text-kumo-subtle">
                <Time at={effect.finishedAt ?? effect.startedAt} />
              </span>
            </p>
            {effect.result !== null && effect.result !== "null" && (
              <p className="line-clamp-3 font-mono text-sm text-kumo-subtle wrap-anywhere">{effect.result}</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  </Card>
);

function standing({ startedAt, finishedAt }: EffectRow, running: boolean): { tone: Tone; text: string } {
  if (finishedAt !== null) {
    const took = duration(Date.parse(finishedAt) - Date.parse(startedAt));
    return { tone: "success", text: `recorded after ${took}: never done again` };
  }
  if (running) return { tone: "progress", text: "under way" };
  return { tone: "warning", text: "began, and how it ended is not known: a person has to look" };
}
