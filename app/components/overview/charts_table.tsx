import { CaretRightIcon } from "@phosphor-icons/react/dist/ssr/CaretRight";
import { count, duration } from "~/domain/format";
import { overviewAddress } from "~/domain/overview/address";
import { dayOf } from "~/domain/overview/chart_range";
import { bucketText } from "~/domain/overview/chart_text";
import type { Overview } from "~/domain/overview/overview";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";

/** The same numbers as text, newest first: for screen readers, and for whoever wants to read them. */
export function ChartsTable({ overview, usual }: { overview: Overview; usual: string }) {
  const { charts, zone } = overview;
  const rows = charts.edges.slice(1).map((_, i) => charts.edges.length - 2 - i);
  return (
    <details className="group/fold text-sm">
      <summary className="flex w-fit list-none items-center gap-1 rounded text-kumo-subtle">
        <CaretRightIcon aria-hidden="true" size={14} className="transition-transform group-open/fold:rotate-90" />
        As a table
      </summary>
      <div className="mt-2 max-h-96 overflow-y-auto rounded-md ring ring-kumo-line">
        <Table label={`Attempts, times and backlog, ${zone}`} className="text-sm!">
          <thead>
            <tr>
              <Th>Time, {zone}</Th>
              {HEADS.map((head) => (
                <Th key={head} className="text-right">
                  {head}
                </Th>
              ))}
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {rows.map((i) => (
              <Tr key={charts.edges[i]}>
                <Th scope="row" className="bg-transparent! font-normal!">
                  {charts.unit === "day" ? (
                    <TextLink
                      to={overviewAddress({ ...overview, day: dayOf(zone, charts.edges[i] as number) }, usual)}
                      preventScrollReset
                    >
                      {bucketText(charts, i, zone)}
                    </TextLink>
                  ) : (
                    bucketText(charts, i, zone)
                  )}
                </Th>
                {[charts.done, charts.failed, charts.other, charts.dead].map((series, column) => (
                  <Td key={HEADS[column]} className="py-1.5! text-right">
                    {count(series[i] as number)}
                  </Td>
                ))}
                {[charts.run.p50, charts.run.p95, charts.wait.p50, charts.wait.p95].map((series, column) => (
                  <Td key={HEADS[column + 4]} className="py-1.5! text-right whitespace-nowrap">
                    {series[i] == null ? "-" : duration(series[i])}
                  </Td>
                ))}
                <Td className="py-1.5! text-right">{charts.messages[i] == null ? "-" : count(charts.messages[i])}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
      <p className="mt-1.5 text-kumo-subtle">Times are told by buckets that double: they are near, not exact.</p>
    </details>
  );
}

const HEADS = ["Done", "Failed", "Other", "Died", "Run p50", "Run p95", "Wait p50", "Wait p95", "In lanes"];
