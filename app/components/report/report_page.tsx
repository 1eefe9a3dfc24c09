import { count, duration } from "~/domain/format";
import type { Report } from "~/domain/report/report";
import { OUTCOMES, type OutcomeName } from "~/domain/states";
import { Card } from "../ui/card";
import { Table, Td, Th, Tr } from "../ui/table";

const SHOWN = Object.keys(OUTCOMES) as OutcomeName[];

/** The report of one day. `changed`: when this version was made, as text. */
export const ReportPage = ({
  report,
  picture,
  version,
  changed,
}: {
  report: Report;
  picture: boolean;
  version: number;
  changed: string;
}) => (
  <>
    <header>
      <p className="text-sm">
        <a className="underline" href="/reports">
          All reports
        </a>
      </p>
      <h1 className="text-2xl font-semibold">Report of {report.day}</h1>
      <p className="text-sm text-kumo-subtle">
        Days are UTC. Version {version}, made {changed}.
      </p>
    </header>
    <Card title="The day" aside={`${count(report.totals.done)} succeeded · ${count(report.totals.dead)} jobs died`}>
      {report.kinds.length === 0 && <p>Nothing ran on this day.</p>}
      {picture && (
        <img
          src={`/reports/${report.day}.svg`}
          alt="Attempts by hour, failures on top"
          width="600"
          height="100"
          className="h-24 w-full"
        />
      )}
    </Card>
    {report.kinds.length > 0 && (
      <Card title="By kind" flush>
        <Table label="Attempts by kind and outcome">
          <thead>
            <tr>
              <Th>Kind</Th>
              {SHOWN.map((name) => (
                <Th key={name} className="text-right">
                  {OUTCOMES[name].label}
                </Th>
              ))}
              <Th className="text-right">Died</Th>
              <Th className="text-right">Mean</Th>
              <Th className="text-right">95 % within</Th>
            </tr>
          </thead>
          <tbody>
            {report.kinds.map((kind) => (
              <Tr key={kind.kind}>
                <Td>{kind.kind}</Td>
                {SHOWN.map((name) => (
                  <Td key={name} className="text-right tabular-nums">
                    {count(kind.outcomes[name])}
                  </Td>
                ))}
                <Td className="text-right tabular-nums">{count(kind.dead)}</Td>
                <Td className="text-right tabular-nums">{kind.meanMs === null ? "–" : duration(kind.meanMs)}</Td>
                <Td className="text-right tabular-nums">{kind.p95Ms === null ? "–" : duration(kind.p95Ms)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </Card>
    )}
    {report.slowest.length > 0 && (
      <Card title="Slowest kinds">
        <p>{report.slowest.join(" · ")}</p>
      </Card>
    )}
    {report.causes.length > 0 && (
      <Card title="Causes of death">
        <ul className="flex flex-col gap-1">
          {report.causes.map(({ cause, n }) => (
            <li key={cause} className="flex gap-3">
              <span className="w-12 text-right font-semibold tabular-nums">{count(n)}</span>
              <span className="break-words">{cause}</span>
            </li>
          ))}
        </ul>
      </Card>
    )}
  </>
);
