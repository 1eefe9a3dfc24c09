import { jobsAddress } from "~/domain/addresses";
import { BULK_ACTIONS, type BulkAction, fits, usualReason } from "~/domain/bulk/bulk";
import { CAUSES_AMONG, type OperationDetail } from "~/domain/bulk/feeds";
import { becameText, filterOfBecame, goneOf } from "~/domain/bulk/words";
import { count, plural } from "~/domain/format";
import { VIEW_NAMES, VIEWS, type View } from "~/domain/states";
import { BulkAll } from "../bulk/bulk_all";
import type { useBulk } from "../bulk/use_bulk";
import { Card } from "../ui/card";
import { Dot } from "../ui/dot";
import { TextLink } from "../ui/text_link";

type Props = { operation: OperationDetail; who: string; bulk: ReturnType<typeof useBulk> };

/** How the jobs stand by now that it has changed, each number with its list, and what can be done with those. */
export function BecameCard({ operation, who, bulk }: Props) {
  const headline = becameText(operation);
  if (headline === null) return null;
  const { became } = operation;
  const gone = goneOf(operation);
  const shown = VIEW_NAMES.filter((view) => became[view] > 0);
  return (
    <Card
      title="What became of them"
      aside={
        shown.length > 0 && (
          <TextLink to={jobsAddress({ q: filterOfBecame(operation.id, "dead").q })}>List them all</TextLink>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-xl font-semibold tracking-tight tabular-nums">{headline}</p>
        {shown.length > 0 && (
          <ul aria-label="How they stand" className="divide-y divide-kumo-hairline">
            {shown.map((view) => (
              <Standing key={view} {...{ view, operation, who, bulk }} />
            ))}
          </ul>
        )}
        {gone > 0 && (
          <p className="text-sm text-kumo-subtle">
            What a later operation has changed since is told on its page; what was removed is stored no more.
          </p>
        )}
      </div>
    </Card>
  );
}

function Standing({ view, operation, who, bulk }: Props & { view: View }) {
  const { id, action, became } = operation;
  const filter = filterOfBecame(id, view);
  const next = NEXT.find((one) => fits(one, view));
  const label = action === "requeue" && view === "dead" ? "died again" : VIEWS[view].label.toLowerCase();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <span className="flex min-w-0 flex-1 items-baseline gap-2">
        <Dot tone={VIEWS[view].tone} />
        <TextLink to={jobsAddress(filter)} className="tabular-nums">
          {count(became[view])} {label}
        </TextLink>
      </span>
      {next && (
        <BulkAll action={next} filter={filter} n={became[view]} bulk={bulk} reason={usualReason(next, who)}>
          {BULK_ACTIONS[next].label} all {count(became[view])}
          <span className="sr-only"> {label}</span>
        </BulkAll>
      )}
      {view === "dead" && <Causes operation={operation} />}
    </li>
  );
}

/** Jobs of a view can be requeued, or cancelled, or neither. */
const NEXT: BulkAction[] = ["requeue", "cancel"];

function Causes({ operation: { id, became, causes } }: { operation: OperationDetail }) {
  return (
    <div className="basis-full text-sm">
      <ul aria-label="What they died of" className="flex flex-col gap-1">
        {causes.map(({ cause, n }) => (
          <li key={cause} className="flex gap-2 tabular-nums">
            <span className="min-w-12 text-right font-medium">{count(n)}</span>
            <TextLink to={jobsAddress({ ...filterOfBecame(id, "dead"), cause })} className="wrap-anywhere">
              {cause}
            </TextLink>
          </li>
        ))}
      </ul>
      {became.dead > CAUSES_AMONG && (
        <p className="mt-1 text-kumo-subtle">Counted among the newest {plural(CAUSES_AMONG, "job")} of them.</p>
      )}
    </div>
  );
}
