import type { ActivityRow } from "~/domain/audit/feeds";
import { activityAddress } from "~/domain/audit/filter";
import { deedOf } from "~/domain/audit/words";
import { Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { Changes } from "./changes";

/** What people did as rows: when, who, what. On a phone who and when stand above what. */
export const ActivityTable = ({ deeds }: { deeds: ActivityRow[] }) => (
  <Table label="Activity">
    <thead className="hidden md:table-header-group">
      <tr>
        <Th className="w-32">When</Th>
        <Th className="w-48">Who</Th>
        <Th>What</Th>
      </tr>
    </thead>
    <tbody>
      {deeds.map((row) => (
        <Tr key={row.id} data-deed={row.id}>
          <Td className="hidden w-32 text-kumo-subtle tabular-nums md:table-cell">
            <Time at={row.at} />
          </Td>
          <Td className="hidden w-48 max-w-48 md:table-cell">
            <Who row={row} />
          </Td>
          <Td className="max-w-0">
            <p className="mb-0.5 flex flex-wrap items-baseline gap-x-2 text-sm md:hidden">
              <Who row={row} />
              <span className="text-kumo-subtle">
                <Time at={row.at} />
              </span>
            </p>
            <What row={row} />
            {row.reason && <p className="text-sm text-kumo-subtle wrap-anywhere">“{row.reason}”</p>}
            <Changes row={row} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const Who = ({ row: { actor } }: { row: ActivityRow }) => (
  <TextLink to={activityAddress({ actor })} className="wrap-anywhere" title={`All that ${actor} did`}>
    {actor}
  </TextLink>
);

function What({ row }: { row: ActivityRow }) {
  const { before, object, to, after } = deedOf(row);
  return (
    <p className="wrap-anywhere">
      {before}
      {to === null ? <span className="font-medium">{object}</span> : <TextLink to={to}>{object}</TextLink>}
      {after}
    </p>
  );
}
