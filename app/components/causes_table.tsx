import { jobsAddress } from "~/domain/addresses";
import type { Stats } from "~/domain/feeds";
import { count } from "~/domain/format";
import { HourTime } from "./time/time";
import { Table, Td, Th, Tr } from "./ui/table";
import { TextLink } from "./ui/text_link";

/** Dead jobs by what they died of, most first: each number is the list it links to. */
export const CausesTable = ({ causes }: { causes: Stats["causes"] }) => (
  <Table label="Dead jobs by cause">
    <thead>
      <tr>
        <Th className="w-20 text-right">Jobs</Th>
        <Th>Cause</Th>
        <Th className="hidden w-44 sm:table-cell">Last one</Th>
      </tr>
    </thead>
    <tbody>
      {causes.map(({ cause, n, lastHour }) => (
        <Tr key={cause} className="hover:bg-kumo-elevated">
          <Td className="w-20 text-right font-semibold text-kumo-danger tabular-nums">{count(n)}</Td>
          <Td className="max-w-0">
            <TextLink to={jobsAddress({ view: "dead", cause })} className="line-clamp-2 wrap-anywhere" title={cause}>
              {cause}
            </TextLink>
            <span className="text-sm text-kumo-subtle sm:hidden">
              last one <HourTime at={lastHour} />
            </span>
          </Td>
          <Td className="hidden w-44 tabular-nums sm:table-cell">
            <HourTime at={lastHour} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);
