import { jobsAddress } from "~/domain/addresses";
import type { Stats } from "~/domain/feeds";
import { count } from "~/domain/format";
import { VIEW_NAMES, VIEWS, type View } from "~/domain/states";
import { Card } from "../ui/card";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { DOT } from "../ui/tone";

export const KindsTable = ({ kinds }: { kinds: Stats["kinds"] }) => (
  <Card title="Kinds" flush>
    <ul aria-label="Jobs by kind" className="divide-y divide-kumo-hairline md:hidden">
      {kinds.map(({ kind, counts }) => (
        <li key={kind} className="px-4 py-3">
          <TextLink to={jobsAddress({ kind })} className="font-medium wrap-anywhere">
            {kind}
          </TextLink>
          <Shares counts={counts} />
          <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm tabular-nums">
            {VIEW_NAMES.filter((view) => counts[view] > 0).map((view) => (
              <span key={view} className="text-kumo-subtle">
                {VIEWS[view].label} <Cell kind={kind} view={view} n={counts[view]} />
              </span>
            ))}
          </p>
        </li>
      ))}
    </ul>
    <div className="hidden md:block">
      <Table label="Jobs by kind and state">
        <thead>
          <tr>
            <Th>Kind</Th>
            {VIEW_NAMES.map((view) => (
              <Th key={view} className="px-2! text-right last:pr-4!">
                {VIEWS[view].label}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, counts }) => (
            <Tr key={kind}>
              <Td className="min-w-40">
                <TextLink to={jobsAddress({ kind })} className="font-medium wrap-anywhere">
                  {kind}
                </TextLink>
                <Shares counts={counts} />
              </Td>
              {VIEW_NAMES.map((view) => (
                <Td key={view} className="px-2! text-right tabular-nums last:pr-4!">
                  <Cell kind={kind} view={view} n={counts[view]} />
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  </Card>
);

const Cell = ({ kind, view, n }: { kind: string; view: View; n: number }) =>
  n === 0 ? (
    <span className="text-kumo-subtle">0</span>
  ) : (
    <TextLink to={jobsAddress({ kind, view })} className={view === "dead" ? "font-medium" : ""}>
      {count(n)}
    </TextLink>
  );

/** What the numbers of the row say, at a glance. */
const Shares = ({ counts }: { counts: Record<View, number> }) => (
  <div aria-hidden="true" className="mt-1.5 flex h-1 gap-px overflow-hidden rounded-full bg-kumo-fill">
    {VIEW_NAMES.filter((view) => counts[view] > 0).map((view) => (
      <span
        key={view}
        className={`min-w-1 ${DOT[VIEWS[view].tone].split(" ", 1)[0]}`}
        style={{ flexGrow: counts[view] }}
      />
    ))}
  </div>
);
