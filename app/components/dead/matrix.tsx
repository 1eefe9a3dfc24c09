import type { ReactNode } from "react";
import { jobsAddress } from "~/domain/addresses";
import { AGES, agesAt, type CauseAges, causeAddress } from "~/domain/dead";
import { count } from "~/domain/format";
import { rangeWords, type TimeRange } from "~/domain/time_range";
import { HourTime } from "../time/time";
import { SET_BACK, Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { Cell } from "./cell";

type Props = {
  causes: CauseAges[];
  /** Those that are no more among the ones with most jobs: they stay in their places, and nothing can be done with them. */
  left: ReadonlySet<string>;
  /** D1's clock when they were counted: ages are told by it. */
  now: string;
  /** What can be done with all jobs of one. */
  action?: (cause: CauseAges) => ReactNode;
};

/**
 * Dead jobs by what they died of and how long ago, most first: each number is the list it leads to. On a phone, where
 * numbers of one digit stand close together, those of the ages only tell: the page of the cause has them as links.
 */
export function Matrix({ causes, left, now, action }: Props) {
  const ranges = agesAt(Date.parse(now));
  const lookOf = ({ cause }: CauseAges) => (left.has(cause) ? SET_BACK : "");
  // What can be done with one that is gone keeps its place.
  const actionOf = (one: CauseAges) =>
    action && <span className={left.has(one.cause) ? "invisible" : ""}>{action(one)}</span>;
  const most = Math.max(1, ...causes.flatMap(({ ages }) => ages));
  return (
    <>
      <ul aria-label="Dead jobs by cause" className="divide-y divide-kumo-hairline lg:hidden">
        {causes.map((one) => (
          <li key={one.cause} className={`flex flex-col gap-1.5 px-4 py-3 ${lookOf(one)}`}>
            <p className="flex gap-3">
              <Total {...one} />
              <Cause {...one} />
            </p>
            <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-kumo-subtle tabular-nums">
              {AGES.map(
                ({ label }, i) =>
                  (one.ages[i] as number) > 0 && (
                    <span key={label}>
                      {label} <span className="text-kumo-default">{count(one.ages[i] as number)}</span>
                    </span>
                  ),
              )}
            </p>
            {actionOf(one)}
          </li>
        ))}
      </ul>
      <div className="hidden lg:block">
        <Table label="Dead jobs by cause and age">
          <thead>
            <tr>
              <Th className="w-16 text-right">Jobs</Th>
              <Th>Cause</Th>
              {AGES.map(({ label }, i) => (
                <Th key={label} className="px-2! text-right" title={`died ${rangeWords(ranges[i] as TimeRange)}`}>
                  {label}
                </Th>
              ))}
              <Th className="px-2!">Last one</Th>
              {action && (
                <Th className="pl-2!">
                  <span className="sr-only">Action</span>
                </Th>
              )}
            </tr>
          </thead>
          <tbody>
            {causes.map((one) => (
              <Tr key={one.cause} data-cause={one.cause} className={lookOf(one)}>
                <Td className="w-16 text-right tabular-nums">
                  <Total {...one} />
                </Td>
                <Td className="w-full max-w-0">
                  <Cause {...one} />
                </Td>
                {AGES.map(({ label }, i) => (
                  <Td
                    key={label}
                    className="px-2! text-right tabular-nums"
                    style={{ background: heatOf(one.ages[i] as number, most) }}
                  >
                    <Cell {...cellOf(one, ranges, i)} />
                  </Td>
                ))}
                <Td className="px-2! text-sm whitespace-nowrap text-kumo-subtle tabular-nums">
                  <HourTime at={one.lastHour} />
                </Td>
                {action && <Td className="py-1.5! pl-2! text-right">{actionOf(one)}</Td>}
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </>
  );
}

const cellOf = ({ cause, ages }: CauseAges, ranges: TimeRange[], i: number) => ({
  cause,
  n: ages[i] as number,
  range: ranges[i] as TimeRange,
  of: `${AGES[i]?.label.toLowerCase().replace("<", "under")}`,
});

const Total = ({ cause, n }: CauseAges) => (
  <TextLink to={jobsAddress({ view: "dead", cause })} className="font-semibold text-kumo-danger tabular-nums">
    {count(n)}
    <span className="sr-only"> dead of {cause}</span>
  </TextLink>
);

const Cause = ({ cause }: CauseAges) => (
  <TextLink to={causeAddress(cause)} title={cause} className="line-clamp-2 min-w-0 wrap-anywhere">
    {cause}
  </TextLink>
);

/** The more of all, the warmer; a tint, so that the number stays what is read. */
const heatOf = (n: number, most: number): string | undefined =>
  n === 0
    ? undefined
    : `color-mix(in oklab, var(--color-kumo-danger-tint) ${Math.round(25 + (75 * Math.log(1 + n)) / Math.log(1 + most))}%, transparent)`;
