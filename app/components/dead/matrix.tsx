import type { CSSProperties, ReactNode } from "react";
import { jobsAddress } from "~/domain/addresses";
import { AGES, agesAt, type CauseAges, causeAddress, cellAddress } from "~/domain/dead/dead";
import { rangeWords, type TimeRange } from "~/domain/dead/time_range";
import { count } from "~/domain/format";
import { HourTime } from "../time/time";
import { useFollow } from "../ui/follow";
import { SET_BACK, Table, Th } from "../ui/table";

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
 * Dead jobs by what they died of and how long ago, most first: each number is the list it leads to. One table at any width: on a
 * phone `matrix.css` makes a block of each row, where a number has the name of its age before it. Links have their names from the
 * heads of their row and column.
 */
export function Matrix({ causes, left, now, action }: Props) {
  const ranges = agesAt(Date.parse(now));
  const most = Math.max(1, ...causes.flatMap(({ ages }) => ages));
  const follow = useFollow();
  return (
    <Table label="Dead jobs by cause and age" className="matrix links" style={NAMES} onClick={follow}>
      <thead>
        <tr>
          <Th>Jobs</Th>
          <Th>Cause</Th>
          {AGES.map(({ label }, i) => (
            <Th key={label} id={`age${i}`} title={`died ${rangeWords(ranges[i] as TimeRange)}`}>
              {label}
            </Th>
          ))}
          <Th>Last one</Th>
          {action && (
            <Th>
              <span className="sr-only">Action</span>
            </Th>
          )}
        </tr>
      </thead>
      <tbody>
        {causes.map((one, row) => (
          <tr key={one.cause} className={left.has(one.cause) ? SET_BACK : undefined}>
            <td>
              <a href={jobsAddress({ view: "dead", cause: one.cause })}>
                {count(one.n)}
                <span className="sr-only">{` dead of ${one.cause}`}</span>
              </a>
            </td>
            <td>
              <a id={`cause${row}`} href={causeAddress(one.cause)} title={one.cause}>
                {one.cause}
              </a>
            </td>
            {one.ages.map((n, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an age is its place
              <td key={i} style={heatOf(n, most)}>
                {n === 0 ? (
                  "0"
                ) : (
                  <a
                    id={`n${row}-${i}`}
                    aria-labelledby={`n${row}-${i} age${i} cause${row}`}
                    href={cellAddress(one.cause, ranges[i] as TimeRange)}
                  >
                    {count(n)}
                  </a>
                )}
              </td>
            ))}
            <td>
              <HourTime at={one.lastHour} />
            </td>
            {/* What can be done with one that is gone keeps its place. */}
            {action && <td className={left.has(one.cause) ? "invisible" : undefined}>{action(one)}</td>}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** For the style sheet, which writes them before the numbers of a phone. */
const NAMES = Object.fromEntries(AGES.map(({ label }, i) => [`--age${i}`, `"${label} "`])) as CSSProperties;

/** The more of all, the warmer; a tint, so that the number stays what is read. */
const heatOf = (n: number, most: number): CSSProperties | undefined =>
  n === 0
    ? undefined
    : ({ "--heat": `${Math.round(25 + (75 * Math.log(1 + n)) / Math.log(1 + most))}%` } as CSSProperties);
