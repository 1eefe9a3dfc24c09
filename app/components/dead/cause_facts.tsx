import type { ReactNode } from "react";
import { jobsAddress } from "~/domain/addresses";
import { AGES, agesAt, type CauseDetail } from "~/domain/dead/dead";
import type { TimeRange } from "~/domain/dead/time_range";
import { count, plural } from "~/domain/format";
import { HourTime } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";
import { Cell } from "./cell";

/** Since when it happens, how long ago, and what it hits. */
export function CauseFacts({ cause }: { cause: CauseDetail }) {
  const ranges = agesAt(Date.parse(cause.now));
  return (
    <Card title="What is known of it">
      <dl className="flex flex-col gap-3">
        <Fact name="First seen">
          <HourTime at={cause.firstHour} />
        </Fact>
        <Fact name="Last seen">
          <HourTime at={cause.lastHour} />
        </Fact>
        <Fact name="Dead by age">
          <ul className="flex flex-col">
            {AGES.map(({ label }, i) => (
              <li key={label} className="flex justify-between">
                {label}
                <Cell
                  cause={cause.cause}
                  n={cause.ages[i] as number}
                  range={ranges[i] as TimeRange}
                  of={label.toLowerCase()}
                />
              </li>
            ))}
          </ul>
        </Fact>
        <Fact name="Kinds">
          <Tallies of={cause.kinds} link={(kind) => jobsAddress({ view: "dead", cause: cause.cause, kind })} />
        </Fact>
        <Fact name="Releases that ran them last">
          <Tallies of={cause.versions} />
        </Fact>
      </dl>
      {cause.looked < cause.n && (
        <p className="mt-3 text-sm text-kumo-subtle">
          Kinds and releases are those of the newest {plural(cause.looked, "job")}.
        </p>
      )}
    </Card>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col">
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
);

const Tallies = ({ of, link }: { of: { name: string; n: number }[]; link?: (name: string) => string }) =>
  of.length === 0 ? (
    <span className="text-kumo-subtle">none</span>
  ) : (
    <ul className="flex flex-col">
      {of.map(({ name, n }) => (
        <li key={name} className="flex justify-between gap-3">
          <span className="min-w-0 wrap-anywhere">{link ? <TextLink to={link(name)}>{name}</TextLink> : name}</span>
          {count(n)}
        </li>
      ))}
    </ul>
  );
