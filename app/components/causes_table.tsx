import type { ReactNode } from "react";
import { jobsAddress } from "~/domain/addresses";
import type { Stats } from "~/domain/feeds";
import { count } from "~/domain/format";
import { HourTime } from "./time/time";
import { Table, Td, Th, Tr } from "./ui/table";
import { TextLink } from "./ui/text_link";

/** Dead jobs by what they died of, most first: each number is the list it links to. */
type Cause = Stats["causes"][number];
/** `action`: what can be done with all jobs of one. */
export const CausesTable = ({ causes, action }: { causes: Cause[]; action: (cause: Cause) => ReactNode }) => (
  <Table label="Dead jobs by cause">
    <thead>
      <tr>
        <Th className="w-20 text-right">Jobs</Th>
        <Th>Cause</Th>
        <Th className="hidden w-44 sm:table-cell">Last one</Th>
        <Th className="hidden w-44 sm:table-cell">
          <span className="sr-only">Action</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {causes.map(({ cause, n, lastHour }) => (
        <Tr data-cause={cause} key={cause} className="hover:bg-kumo-elevated">
          <Td className="w-20 text-right font-semibold text-kumo-danger tabular-nums">{count(n)}</Td>
          <Td className="max-w-0">
            <TextLink to={jobsAddress({ view: "dead", cause })} className="line-clamp-2 wrap-anywhere" title={cause}>
              {cause}
            </TextLink>
            <span className="mt-1 flex flex-wrap items-center justify-between gap-2 text-sm text-kumo-subtle sm:hidden">
              <span>
                last one <HourTime at={lastHour} />
              </span>
              {action({ cause, n, lastHour })}
            </span>
          </Td>
          <Td className="hidden w-44 tabular-nums sm:table-cell">
            <HourTime at={lastHour} />
          </Td>
          <Td className="hidden w-44 py-2 text-right sm:table-cell">{action({ cause, n, lastHour })}</Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);
