import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { count, duration } from "~/domain/format";
import { overviewAddress } from "~/domain/overview/address";
import { type ChartView, dayOf } from "~/domain/overview/chart_range";
import { bucketText, roundUp } from "~/domain/overview/chart_text";
import { type Charts, type Overview, successText } from "~/domain/overview/overview";
import { zoneNameOf } from "~/domain/shell/preferences";
import type { Tone } from "~/domain/states";
import { Bars } from "../charts/bars";
import { Line } from "../charts/lines";
import { Plot } from "../charts/plot";
import { usePreferences } from "../preferences";
import { Card } from "../ui/card";
import { Dot } from "../ui/dot";
import { TextLink } from "../ui/text_link";
import { ChartsTable } from "./charts_table";
import { Ranges } from "./ranges";
import { Releases } from "./releases";

const SERIES = [
  { name: "done", label: "done", tone: "success" },
  { name: "failed", label: "failed", tone: "danger" },
  { name: "other", label: "cancelled or snoozed", tone: "neutral" },
] as const satisfies { name: keyof Charts; label: string; tone: Tone }[];

/** Attempts, how long they ran and waited, and the backlog, over a time that the address says. */
export function ChartsCard({ overview }: { overview: Overview }) {
  const { charts, zone, now } = overview;
  const usual = zoneNameOf(usePreferences());
  const [pointed, setPointed] = useState<number | null>(null);
  const { totals, edges, unit } = charts;
  const at = pointed !== null && pointed < edges.length - 1 ? pointed : null;
  const frame = {
    buckets: charts,
    zone,
    partial: (edges.at(-1) as number) > Date.parse(now),
    deploys: charts.deploys,
    pointed: at,
    onPoint: setPointed,
  };
  const ran = totals.done + totals.failed + totals.other;
  const most = roundUp(Math.max(0, ...edges.slice(1).map((_, i) => sum(charts, i))));
  const where = at === null ? null : bucketText(charts, at, zone);
  return (
    <Card title="Attempts and times" aside={<Ranges view={overview} usual={usual} />}>
      <div className="flex flex-col gap-5">
        <Plot
          {...frame}
          title={`Attempts ${unit === "minute" ? "a minute" : unit === "hour" ? "an hour" : "a day"}`}
          summary={`${count(totals.done)} done, ${count(totals.failed)} failed, ${count(totals.other)} cancelled or snoozed; ${successText(totals.done, totals.failed)} succeeded; ${count(totals.dead)} jobs died`}
          aside={
            <span className="flex flex-wrap items-baseline gap-x-3">
              {where && <span className="text-kumo-default">{where}</span>}
              {SERIES.map(({ name, label, tone }) => (
                <span key={name} className="flex items-baseline gap-1.5">
                  <Dot tone={tone} className="self-center" />
                  {count(at === null ? totals[name] : (charts[name][at] ?? 0))} {label}
                </span>
              ))}
              <span>
                {successText(
                  at === null ? totals.done : (charts.done[at] ?? 0),
                  at === null ? totals.failed : (charts.failed[at] ?? 0),
                )}{" "}
                succeeded
              </span>
              <span>
                <TextLink to="/dead">{count(at === null ? totals.dead : (charts.dead[at] ?? 0))} died</TextLink>
              </span>
            </span>
          }
          top={count(most)}
          empty={ran === 0 ? "Nothing ran in this time." : null}
          height="h-36"
          over={unit === "day" && <DayLinks view={overview} usual={usual} edges={edges} />}
        >
          <Bars series={SERIES.map(({ name, tone }) => ({ tone, values: charts[name] }))} max={most} />
        </Plot>
        <div className="grid gap-x-6 gap-y-5 md:grid-cols-3">
          <Times {...frame} title="Run time" latency={charts.run} total={totals.run} />
          <Times {...frame} title="Wait time" latency={charts.wait} total={totals.wait} />
          <Backlog {...frame} charts={charts} />
        </div>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <ChartsTable overview={overview} usual={usual} />
          <Releases deploys={charts.deploys} />
        </div>
      </div>
    </Card>
  );
}

const sum = ({ done, failed, other }: Charts, i: number): number =>
  (done[i] as number) + (failed[i] as number) + (other[i] as number);

type Frame = Omit<Parameters<typeof Plot>[0], "title" | "summary" | "aside" | "top" | "empty" | "height" | "children">;
const top = (...series: (number | null)[][]): number => roundUp(Math.max(0, ...series.flat().map((n) => n ?? 0)));
const ms = (value: number | null | undefined): string => (value == null ? "-" : duration(value));

function Times({
  title,
  latency,
  total,
  ...frame
}: Frame & { title: string; latency: Charts["run"]; total: Charts["totals"]["run"] }) {
  const { pointed } = frame;
  const max = top(latency.p50, latency.p95);
  const [p50, p95] =
    pointed === null ? [total.p50, total.p95] : [latency.p50[pointed] ?? null, latency.p95[pointed] ?? null];
  return (
    <Plot
      {...frame}
      title={title}
      summary={`half within ${ms(total.p50)}, 95 % within ${ms(total.p95)}`}
      aside={
        <>
          <Key solid /> p50 {ms(p50)} · <Key /> p95 {ms(p95)}
        </>
      }
      top={duration(max)}
      empty={total.p50 === null ? "Nothing was measured." : null}
      height="h-24"
    >
      <Line values={latency.p95} max={max} look="stroke-kumo-warning" dashed />
      <Line values={latency.p50} max={max} look="stroke-kumo-info" />
    </Plot>
  );
}

const Key = ({ solid }: { solid?: boolean }) => (
  <span
    aria-hidden="true"
    className={`inline-block w-4 border-t-2 align-middle ${solid ? "border-kumo-info" : "border-dashed border-kumo-warning"}`}
  />
);

function Backlog({ charts, ...frame }: Frame & { charts: Charts }) {
  const { messages, oldestMs } = charts;
  const at = frame.pointed ?? messages.findLastIndex((n) => n !== null);
  const n = messages[at] ?? null;
  const max = top(messages);
  return (
    <Plot
      {...frame}
      title="Backlog in the lanes"
      summary={
        n === null ? "not known" : `${count(n)} at last, ${count(Math.max(0, ...messages.map((m) => m ?? 0)))} at most`
      }
      aside={n === null ? "not known" : `${count(n)}${n > 0 ? `, oldest ${ms(oldestMs[at])}` : ""}`}
      top={count(max)}
      empty={messages.every((value) => value === null) ? "No sweep has looked." : null}
      height="h-24"
    >
      <Bars series={[{ tone: "neutral", values: messages }]} max={max} />
    </Plot>
  );
}

/** Each day leads to its hours. By keyboard the table does. */
const DayLinks = ({ view, usual, edges }: { view: ChartView; usual: string; edges: number[] }): ReactNode => (
  <span aria-hidden="true" className="absolute inset-0 flex">
    {edges.slice(0, -1).map((edge) => (
      <Link
        key={edge}
        tabIndex={-1}
        to={overviewAddress({ ...view, day: dayOf(view.zone, edge) }, usual)}
        preventScrollReset
        className="h-full flex-1"
      />
    ))}
  </span>
);
