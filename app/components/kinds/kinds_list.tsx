import type { ReactNode } from "react";
import { jobsAddress } from "~/domain/addresses";
import { BULK_KIND } from "~/domain/bulk/bulk";
import type { KindRow } from "~/domain/bulk/feeds";
import { count, duration } from "~/domain/format";
import { VIEW_NAMES, VIEWS } from "~/domain/states";
import { DoneHere } from "../activity/done_here";
import { TextLink } from "../ui/text_link";
import { KindLimits } from "./kind_limits";
import { KindPause } from "./kind_pause";

/** Every kind: its jobs by state, what ended in the last hour, whether it is paused. */
export const KindsList = ({ kinds }: { kinds: KindRow[] }) => (
  <ul aria-label="Kinds" className="divide-y divide-kumo-hairline">
    {kinds.map((kind) => (
      <li
        key={kind.kind}
        id={`kind-${kind.kind}`}
        data-kind={kind.kind}
        className={`grid gap-x-6 gap-y-3 border-l-3 px-4 py-4 md:grid-cols-[minmax(0,1fr)_13rem_10rem] ${
          kind.paused || !kind.known ? "border-l-kumo-warning" : "border-l-transparent"
        }`}
      >
        <div className="flex min-w-0 flex-col gap-1.5">
          <h2 className="flex flex-wrap items-baseline gap-x-2">
            <TextLink to={jobsAddress({ kind: kind.kind })} className="font-medium wrap-anywhere">
              {kind.kind}
            </TextLink>
            {kind.title && <span className="text-sm text-kumo-subtle">{kind.title}</span>}
            {kind.kind !== BULK_KIND && (
              <DoneHere object={kind.kind}>
                Activity<span className="sr-only"> of {kind.kind}</span>
              </DoneHere>
            )}
          </h2>
          {kind.description && <p className="text-sm text-kumo-subtle">{kind.description}</p>}
          {!kind.known && (
            <p className="text-sm text-kumo-warning">This release does not know it: its jobs wait for one that does.</p>
          )}
          <Counts kind={kind} />
          {kind.kind !== BULK_KIND && <KindLimits kind={kind} />}
        </div>
        <LastHour kind={kind} />
        <KindPause kind={kind} />
      </li>
    ))}
  </ul>
);

const Counts = ({ kind: { kind, counts } }: { kind: KindRow }) => {
  const shown = VIEW_NAMES.filter((view) => counts[view] > 0);
  if (shown.length === 0) return <p className="text-sm text-kumo-subtle">No jobs</p>;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm tabular-nums">
      {shown.map((view) => (
        <span key={view} className="text-kumo-subtle">
          {VIEWS[view].label}{" "}
          <TextLink to={jobsAddress({ kind, view })} className={view === "dead" ? "font-medium" : ""}>
            {count(counts[view])}
          </TextLink>
        </span>
      ))}
    </p>
  );
};

const LastHour = ({ kind: { lastHour } }: { kind: KindRow }) => {
  const { done, failed, p50Ms, p95Ms } = lastHour;
  return (
    <div className="text-sm tabular-nums">
      <p className="text-xs leading-5 text-kumo-subtle">Attempts of the last hour</p>
      <dl className="flex flex-wrap gap-x-4 md:grid md:grid-cols-2 md:gap-x-3 md:gap-y-0.5">
        <Rate name="done">{count(done)}</Rate>
        <Rate name="failed" bad={failed > 0}>
          {count(failed)}
        </Rate>
        <Rate name="p50 / p95" means="half of them ran no longer; 95 of 100 ran no longer">
          {p95Ms === null ? "–" : `${duration(p50Ms ?? 0)} / ${duration(p95Ms)}`}
        </Rate>
      </dl>
    </div>
  );
};

const Rate = (props: { name: string; means?: string; bad?: boolean; children: ReactNode }) => (
  <div className="flex gap-x-1.5 md:contents">
    <dt className="text-kumo-subtle" title={props.means}>
      {props.name}
    </dt>
    <dd className={`md:text-right ${props.bad ? "font-medium text-kumo-danger" : ""}`}>{props.children}</dd>
  </div>
);
