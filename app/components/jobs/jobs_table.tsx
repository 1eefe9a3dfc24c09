import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { jobAddress } from "~/domain/addresses";
import type { HeldKind } from "~/domain/bulk/feeds";
import type { JobRow } from "~/domain/feeds";
import { count, duration, firstLine, shortId } from "~/domain/format";
import { COLUMNS, type Column, DEFAULT_COLUMNS } from "~/domain/query/columns";
import { type Choosing, RowBox } from "../bulk/row_box";
import { Time } from "../time/time";
import { StateBadge } from "../ui/state_badge";
import { SET_BACK, Table, Td, Th, Tr } from "../ui/table";
import { JobWhen } from "./job_when";

/** `read`: the job as it was when its row was drawn first. */
type Row = { job: JobRow; left: boolean; read: JobRow };
type Props = {
  label: string;
  rows: Row[];
  /** Where jobs are chosen in this list. */
  choosing?: Choosing;
  /** Kinds whose due jobs wait. */
  held?: ReadonlyMap<string, HeldKind>;
  /** Those shown beside the job's name; null: as they go without saying. */
  columns?: Column[] | null;
  /** What can be done with each, at its end. */
  action?: (job: JobRow) => ReactNode;
};

/** Jobs as rows. On a phone the words of the other columns stand below the name. */
export function JobsTable({ label, rows, choosing, held, columns, action }: Props) {
  const lookOf = ({ job, left }: Omit<Row, "read">) => {
    if (left || choosing?.isSending(job.id)) return SET_BACK;
    return choosing?.isPicked(job.id) ? "bg-kumo-info-tint" : "hover:bg-kumo-elevated";
  };
  const shown = columns ?? DEFAULT_COLUMNS;
  const states = shown.includes("state");
  const others = shown.filter((name) => name !== "state");
  return (
    <Table label={label}>
      <thead className="hidden sm:table-header-group">
        <tr>
          {choosing && (
            <Th className="w-10 pr-0">
              <span className="sr-only">Select</span>
            </Th>
          )}
          {states && <Th className="w-32">State</Th>}
          <Th>Job</Th>
          {others.map((name) => (
            <Th key={name} className={WIDTHS[name]}>
              {COLUMNS[name]}
            </Th>
          ))}
          {action && (
            <Th className="w-36">
              <span className="sr-only">Action</span>
            </Th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ job, left, read }) => (
          <Tr key={job.id} data-job={job.id} className={lookOf({ job, left })}>
            {choosing && (
              <Td className="w-10 pr-0">
                {!left && <RowBox id={job.id} of={`${job.kind} ${nameOf(job)}`} choosing={choosing} />}
              </Td>
            )}
            {states && <Td className="hidden w-32 sm:table-cell">{stateOf(job, left)}</Td>}
            <Td className="max-w-0">
              <JobName job={job} short={!shown.includes("id")} twoLines={troubleOf(read) !== null} />
              <div className="mt-1 flex items-center gap-x-2 text-sm text-kumo-subtle md:hidden">
                {states && <span className="sm:hidden">{stateOf(job, left)}</span>}
                <span className="min-w-0 truncate">{job.kind}</span>
                {job.tries > 0 && <span className="shrink-0 tabular-nums">{triesText(job)}</span>}
              </div>
              {/* A line of its own: "9 s ago" that becomes "12 s ago" must not break one. */}
              <div className="mt-0.5 text-sm text-kumo-subtle tabular-nums sm:hidden">
                <JobWhen job={job} held={held?.get(job.kind)} />
              </div>
            </Td>
            {others.map((name) => (
              <Td key={name} className={WIDTHS[name]}>
                <Cell name={name} job={job} held={held?.get(job.kind)} />
              </Td>
            ))}
            {action && <Td className="w-36 text-right">{left ? stateOf(job, left) : action(job)}</Td>}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** On a phone what goes without saying stands below the name, and the rest is beside the screen. */
const WIDTHS: Record<Exclude<Column, "state">, string> = {
  kind: "hidden w-40 max-w-40 md:table-cell",
  tries: "hidden w-24 whitespace-nowrap tabular-nums md:table-cell",
  when: "hidden w-44 tabular-nums sm:table-cell",
  submitted: "w-36 tabular-nums",
  ended: "w-36 tabular-nums",
  ran: "w-24 whitespace-nowrap tabular-nums",
  priority: "w-24",
  id: "w-80 font-mono text-xs leading-5",
};

type CellProps = { name: Exclude<Column, "state">; job: JobRow; held: HeldKind | undefined };

function Cell({ name, job, held }: CellProps): ReactNode {
  switch (name) {
    case "kind":
      return (
        <div className="truncate text-kumo-subtle" title={job.kind}>
          {job.kind}
        </div>
      );
    case "tries":
      return triesText(job);
    case "when":
      return <JobWhen job={job} held={held} />;
    case "submitted":
      return <Time at={job.createdAt} />;
    case "ended":
      return job.finishedAt ? <Time at={job.finishedAt} /> : "–";
    case "ran":
      return job.startedAt && job.finishedAt ? duration(Date.parse(job.finishedAt) - Date.parse(job.startedAt)) : "–";
    case "priority":
      return job.lane;
    case "id":
      return job.id;
  }
}

const stateOf = (job: JobRow, left: boolean) =>
  left ? <span className="text-sm">moved on</span> : <StateBadge view={job.view} />;

/**
 * A row is as high as it was when it was read: what has become of its job since moves no other row. `short`: the end of its
 * id stands beside its name, where there is room.
 */
const JobName = ({ job, short, twoLines }: { job: JobRow; short: boolean; twoLines: boolean }) => {
  const { pathname, search, key, state } = useLocation();
  const trouble = troubleOf(job);
  return (
    <div className="flex min-w-0 flex-col">
      <span className="flex min-w-0 items-baseline gap-2">
        <Link
          to={jobAddress(job.id)}
          discover="none"
          state={{ list: pathname + search, key: state?.scrollKey ?? key }}
          className="job-name"
        >
          {nameOf(job)}
        </Link>
        {short && job.label !== null && (
          <span className="hidden shrink-0 font-mono text-xs text-kumo-subtle 2xl:inline" title={job.id}>
            {shortId(job.id)}
          </span>
        )}
        {!twoLines && trouble && <Trouble text={trouble} />}
      </span>
      {twoLines && <Trouble text={trouble ?? "\u00a0"} />}
    </div>
  );
};

const Trouble = ({ text }: { text: string }) => (
  <span className="min-w-0 truncate text-sm text-kumo-danger" title={text}>
    {firstLine(text)}
  </span>
);

const troubleOf = (job: JobRow): string | null => (job.view === "done" ? null : job.lastError);

export const nameOf = (job: JobRow): string => job.label ?? shortId(job.id);

/** Tries of the budget, since that is what runs out; none yet: nothing to count. */
const triesText = (job: JobRow): string => (job.tries > 0 ? `${count(job.tries)} of ${count(job.maxAttempts)}` : "–");
