import { Card } from "../ui/card";

type Listed = { day: string; version: number };

/** `missing`: the finished day that has no report, and whether it is late. */
export const ReportList = ({
  reports,
  missing,
  older,
}: {
  reports: Listed[];
  missing: { day: string; late: boolean } | null;
  older: string | null;
}) => (
  <>
    <header>
      <p className="text-sm">
        <a className="underline" href="/">
          Overview
        </a>
      </p>
      <h1 className="text-2xl font-semibold">Daily reports</h1>
      <p className="text-sm text-kumo-subtle">One for each finished day, UTC, some minutes after midnight.</p>
    </header>
    {missing && (
      <p className="rounded-lg border border-kumo-hairline bg-kumo-base px-4 py-3">
        {missing.late ? `The report of ${missing.day} is late.` : `The report of ${missing.day} is being made.`}
      </p>
    )}
    <Card title="Reports" aside={reports.length === 0 ? "none yet" : undefined}>
      {reports.length === 0 && <p>The first report comes after the first midnight.</p>}
      <ul className="flex flex-col gap-2">
        {reports.map(({ day, version }) => (
          <li key={day}>
            <a className="underline" href={`/reports/${day}`}>
              {day}
            </a>
            {version > 1 && <span className="text-sm text-kumo-subtle"> version {version}</span>}
          </li>
        ))}
      </ul>
      {older && (
        <p className="mt-3">
          <a className="underline" href={`/reports?before=${older}`}>
            Older reports
          </a>
        </p>
      )}
    </Card>
  </>
);
