import { Link } from "react-router";
import { jobAddress, jobsAddress } from "~/domain/addresses";
import type { RunRow } from "~/domain/feeds";
import { duration, shortId } from "~/domain/format";
import { VIEWS } from "~/domain/states";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";
import { DOT } from "../ui/tone";

/** Whether it is always slow, or fails of late: the kind's newest runs, oldest left, by how long they ran. */
export function RunsCard({ kind, runs, id }: { kind: string; runs: RunRow[]; id: string }) {
  const longest = Math.max(1, ...runs.map(({ ranMs }) => ranMs));
  const sorted = runs.map(({ ranMs }) => ranMs).sort((a, b) => a - b);
  const failed = runs.filter(({ view }) => view === "dead").length;
  return (
    <Card title={`Last ${runs.length === 1 ? "run" : `${runs.length} runs`} of ${kind}`}>
      <div className="flex flex-col gap-2">
        <ol aria-label={`Runs of ${kind}, newest last`} className="flex h-16 items-end gap-px">
          {runs.toReversed().map((run) => (
            <li key={run.id} className="flex h-full min-w-0 flex-1 items-end">
              <Link
                to={jobAddress(run.id)}
                tabIndex={-1}
                aria-label={textOf(run)}
                title={textOf(run)}
                aria-current={run.id === id ? "true" : undefined}
                className="flex h-full w-full items-end rounded-xs hover:bg-kumo-tint aria-current:bg-kumo-tint aria-current:ring aria-current:ring-kumo-interact"
              >
                <span
                  className={`min-h-1 w-full rounded-xs ${DOT[VIEWS[run.view].tone]}`}
                  style={{ height: `${Math.max(6, (100 * run.ranMs) / longest)}%` }}
                />
              </Link>
            </li>
          ))}
        </ol>
        <p className="text-sm text-kumo-subtle tabular-nums">
          Half of them took {duration(sorted[Math.floor(sorted.length / 2)] ?? 0)} or less, the longest{" "}
          {duration(longest)}.{" "}
          {failed > 0 ? (
            <TextLink to={jobsAddress({ view: "dead", kind })}>{failed} died.</TextLink>
          ) : (
            "None of them died."
          )}
        </p>
      </div>
    </Card>
  );
}

const textOf = ({ id, view, ranMs }: RunRow): string =>
  `${VIEWS[view].label.toLowerCase()}, ran ${duration(ranMs)}, job ${shortId(id)}`;
