import type { OperationRow, RunningOperation } from "~/domain/bulk/feeds";
import { operationTitle } from "~/domain/bulk/words";

/** How far it is: what it changed, and what it skipped. */
export function OperationBar({ operation }: { operation: RunningOperation & Pick<OperationRow, "state"> }) {
  const { changed, skipped, expected, state } = operation;
  const through = changed + skipped;
  const total = state === "done" ? through : Math.max(expected, through);
  const share = (n: number) => `${total === 0 ? 0 : (n / total) * 100}%`;
  return (
    <div
      role="progressbar"
      aria-label={`Progress: ${operationTitle(operation)}`}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={through}
      className="flex h-2 w-full overflow-hidden rounded-full bg-kumo-fill"
    >
      <span className="bg-kumo-brand" style={{ width: share(changed) }} />
      <span className="bg-kumo-warning" style={{ width: share(skipped) }} />
    </div>
  );
}
