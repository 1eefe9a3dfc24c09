import type { ReactNode } from "react";
import { jobAddress } from "~/domain/addresses";
import { count, duration, plural } from "~/domain/format";
import type { DeliveryRow } from "~/domain/webhooks/webhooks";
import { Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { DeliveryBadge } from "./delivery_badge";
import { Resend } from "./resend";

type Props<Row extends DeliveryRow> = {
  label: string;
  rows: Row[];
  /** What a row is named by: its endpoint, or its event. */
  head: string;
  name: (row: Row) => ReactNode;
  /** Whether what arrived can be sent again as well. */
  again?: boolean;
};

/** Deliveries as rows. On a phone the words of the other columns stand below the name. */
export function DeliveriesTable<Row extends DeliveryRow>({ label, rows, head, name, again = false }: Props<Row>) {
  return (
    <Table label={label}>
      <thead className="hidden sm:table-header-group">
        <tr>
          <Th className="w-32">Status</Th>
          <Th>{head}</Th>
          <Th className="hidden w-20 text-right md:table-cell">Tries</Th>
          <Th className="hidden w-36 md:table-cell">When</Th>
          <Th className="w-24">
            <span className="sr-only">Action</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.webhookId} data-delivery={row.webhookId}>
            <Td className="hidden w-32 sm:table-cell">
              <DeliveryBadge status={row.status} />
            </Td>
            <Td className="max-w-0">
              <div className="wrap-anywhere">{name(row)}</div>
              <Answer row={row} />
              <div className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-kumo-subtle md:hidden">
                <span className="sm:hidden">
                  <DeliveryBadge status={row.status} />
                </span>
                <span>{plural(row.attempts, "try", "tries")}</span>
                <When row={row} />
              </div>
            </Td>
            <Td className="hidden w-20 text-right tabular-nums md:table-cell">{count(row.attempts)}</Td>
            <Td className="hidden w-36 tabular-nums md:table-cell">
              <When row={row} />
            </Td>
            <Td className="w-24 text-right">{canResend(row, again) && <Resend row={row} />}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

const canResend = ({ status, at }: DeliveryRow, again: boolean): boolean =>
  at !== null && (status === "failed" || status === "skipped" || (again && status === "delivered"));

/** What it answered last: status and time it took, what was wrong, the beginning of its answer. */
function Answer({ row }: { row: DeliveryRow }) {
  const { httpStatus, durationMs, error, answer, status, signed, type, attempts } = row;
  const facts = [
    httpStatus !== null && `HTTP ${httpStatus}`,
    durationMs !== null && duration(durationMs),
    attempts > 0 && !signed && type === "standard" && "not signed",
  ].filter(Boolean);
  return (
    <div className="flex flex-col text-sm text-kumo-subtle">
      {facts.length > 0 && <span className="tabular-nums">{facts.join(" · ")}</span>}
      {error && <span className={`wrap-anywhere ${status === "skipped" ? "" : "text-kumo-danger"}`}>{error}</span>}
      {answer && status !== "delivered" && (
        <span className="line-clamp-2 font-mono text-xs wrap-anywhere" title={answer}>
          {answer}
        </span>
      )}
    </div>
  );
}

const When = ({ row: { at, nextAt, jobId } }: { row: DeliveryRow }) => (
  <span className="flex flex-col">
    {at && <Time at={at} />}
    {nextAt && (
      <span className="text-sm text-kumo-subtle">
        again <Time at={nextAt} past="due" />
      </span>
    )}
    {jobId && (
      <TextLink to={jobAddress(jobId)} className="text-sm">
        its job
      </TextLink>
    )}
  </span>
);
