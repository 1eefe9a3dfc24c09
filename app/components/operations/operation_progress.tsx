import type { ReactNode } from "react";
import type { OperationRow } from "~/domain/bulk/feeds";
import { ratePerMinute } from "~/domain/bulk/words";
import { count, duration } from "~/domain/format";
import { useNow } from "../time/now";
import { OperationBar } from "./operation_bar";

/** How many are done, how many it skipped, how many are to come, and how fast it goes. */
export function OperationProgress({ operation }: { operation: OperationRow }) {
  const { changed, skipped, expected, state, pace, createdAt, endedAt } = operation;
  const tookMs = Date.parse(endedAt ?? createdAt) - Date.parse(createdAt);
  const rate = useNow((now) => ratePerMinute(operation, now) ?? -1);
  const rest = Math.max(0, expected - changed - skipped);
  return (
    <div className="flex flex-col gap-4">
      <OperationBar operation={operation} />
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-5">
        <Figure name="Matched">{count(expected)}</Figure>
        <Figure name="Changed">{count(changed)}</Figure>
        <Figure name="Skipped">{count(skipped)}</Figure>
        <Figure name={state === "running" ? "To come" : "Not reached"}>{count(rest)}</Figure>
        <Figure
          name="Rate"
          note={endedAt ? `took ${duration(tookMs)}` : pace !== null ? `at most ${count(pace)}` : null}
        >
          {rate < 0 ? "–" : `${count(rate)} / min`}
        </Figure>
      </dl>
      {state === "done" && rest > 0 && (
        <p className="text-sm text-kumo-subtle">
          {count(rest)} of them matched no more when it came to them: somebody else had moved them on.
        </p>
      )}
    </div>
  );
}

const Figure = ({ name, note, children }: { name: string; note?: string | null; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="text-xl font-semibold tracking-tight tabular-nums">{children}</dd>
    {note && <dd className="text-sm text-kumo-subtle tabular-nums">{note}</dd>}
  </div>
);
