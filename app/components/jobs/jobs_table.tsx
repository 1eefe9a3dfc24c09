import type { ReactNode } from "react";
import { Link } from "react-router";
import { jobAddress } from "~/domain/addresses";
import type { JobRow } from "~/domain/feeds";
import { count, firstLine, shortId } from "~/domain/format";
import { StateBadge } from "../ui/state_badge";
import { Table, Td, Th, Tr } from "../ui/table";
import { JobWhen } from "./job_when";

type Row = { job: JobRow; left: boolean };

/** Jobs as rows. `action`: what can be done with each, at its end. */
export function JobsTable({
  label,
  rows,
  action,
}: {
  label: string;
  rows: Row[];
  action?: (job: JobRow) => ReactNode;
}) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th className="w-32">State</Th>
          <Th>Job</Th>
          <Th className="hidden w-40 md:table-cell">Kind</Th>
          <Th className="hidden w-24 md:table-cell">Attempts</Th>
          <Th className="hidden w-44 sm:table-cell">When</Th>
          {action && (
            <Th className="w-24">
              <span className="sr-only">Action</span>
            </Th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ job, left }) => (
          <Tr key={job.id} data-job={job.id} className={left ? "opacity-50" : "hover:bg-kumo-elevated"}>
            <Td className="w-32">
              {left ? <span className="text-sm">moved on</span> : <StateBadge view={job.view} />}
            </Td>
            <Td className="max-w-0">
              <JobName job={job} />
            </Td>
            <Td className="hidden w-40 max-w-40 truncate text-kumo-subtle md:table-cell" title={job.kind}>
              {job.kind}
            </Td>
            <Td className="hidden w-24 whitespace-nowrap tabular-nums md:table-cell">{attemptsOf(job)}</Td>
            <Td className="hidden w-44 tabular-nums sm:table-cell">
              <JobWhen job={job} />
            </Td>
            {action && <Td className="w-24 py-2 text-right">{left ? null : action(job)}</Td>}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** On a phone the other columns' words stand below the name. */
const JobName = ({ job }: { job: JobRow }) => (
  <div className="flex min-w-0 flex-col">
    <Link
      to={jobAddress(job.id)}
      className="truncate font-medium text-kumo-default no-underline hover:text-kumo-link hover:underline"
    >
      {nameOf(job)}
    </Link>
    {job.lastError && job.view !== "done" && (
      <span className="truncate text-sm text-kumo-danger" title={job.lastError}>
        {firstLine(job.lastError)}
      </span>
    )}
    <span className="flex flex-wrap gap-x-2 text-sm text-kumo-subtle md:hidden">
      <span>{job.kind}</span>
      <span className="tabular-nums">{attemptsOf(job)}</span>
      <span className="tabular-nums sm:hidden">
        <JobWhen job={job} />
      </span>
    </span>
  </div>
);

export const nameOf = (job: JobRow): string => job.label ?? shortId(job.id);

/** Tries of the budget, since that is what runs out; none yet: nothing to count. */
const attemptsOf = (job: JobRow): string => (job.tries > 0 ? `${count(job.tries)} of ${count(job.maxAttempts)}` : "–");
