import { jobAddress } from "~/domain/addresses";
import { duration, shortId } from "~/domain/format";
import type { CheckRow } from "~/domain/watches/feeds";
import { missedText } from "~/domain/watches/words";
import { ExactTime } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { CheckBadge } from "./check_badge";
import { Difference } from "./difference";

/** The history of a watch, newest slot first: what each check saw, and what it told whom. */
export const ChecksTable = ({ checks }: { checks: CheckRow[] }) => (
  <Table label="Checks">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th className="w-48">Slot</Th>
        <Th className="w-32">Outcome</Th>
        <Th>What it saw</Th>
        <Th className="hidden w-28 md:table-cell">Job</Th>
      </tr>
    </thead>
    <tbody>
      {checks.map((check) => (
        <Tr key={check.slotAt} data-check={check.slotAt}>
          <Td className="hidden w-48 tabular-nums sm:table-cell">
            <Slot check={check} />
          </Td>
          <Td className="hidden w-32 sm:table-cell">
            <CheckBadge outcome={check.outcome} />
          </Td>
          <Td className="max-w-0">
            <div className="mb-1 flex flex-col items-start gap-1 tabular-nums sm:hidden">
              <Slot check={check} />
              <CheckBadge outcome={check.outcome} />
            </div>
            <Seen check={check} />
            <span className="md:hidden">
              <JobLink id={check.jobId} />
            </span>
          </Td>
          <Td className="hidden w-28 md:table-cell">
            <JobLink id={check.jobId} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const LATE_MS = 90_000;

function Slot({ check: { slotAt, at, missed } }: { check: CheckRow }) {
  const late = Date.parse(at) - Date.parse(slotAt);
  return (
    <span className="flex flex-col">
      <ExactTime at={slotAt} />
      {late > LATE_MS && <span className="text-sm text-kumo-subtle">ended {duration(late)} later</span>}
      {missed > 0 && <span className="text-sm text-kumo-subtle">{missedText(missed)}</span>}
    </span>
  );
}

function Seen({ check }: { check: CheckRow }) {
  const { outcome, previous, value, number, httpStatus, error, told } = check;
  return (
    <div className="flex flex-col gap-1 wrap-anywhere">
      {outcome === "changed" && previous !== null && value !== null && <Difference before={previous} after={value} />}
      {outcome === "first" && <span className="line-clamp-3 text-sm whitespace-pre-line">{value}</span>}
      {outcome === "unchanged" && (
        <span className="text-sm text-kumo-subtle">
          {number !== null && <span className="tabular-nums">{number} · </span>}
          {httpStatus === 304 ? "the page says that it is the same (304)" : "the same"}
        </span>
      )}
      {error && <span className="text-sm text-kumo-danger">{error}</span>}
      {told.length > 0 && (
        <span className="text-sm text-kumo-subtle">
          told by{" "}
          {told.map((id, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <TextLink to={jobAddress(id)}>job {shortId(id)}</TextLink>
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

const JobLink = ({ id }: { id: string }) => (
  <TextLink to={jobAddress(id)} className="font-mono text-sm">
    {shortId(id)}
  </TextLink>
);
