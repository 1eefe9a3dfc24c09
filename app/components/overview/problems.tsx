import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { WarningIcon } from "@phosphor-icons/react/dist/ssr/Warning";
import type { ReactNode } from "react";
import { jobsAddress } from "~/domain/addresses";
import { moreCauses } from "~/domain/dead/dead";
import type { Stats } from "~/domain/feeds";
import { count, plural } from "~/domain/format";
import { type SweepStanding, sweepStanding } from "~/domain/job/standing";
import { type Attention, attentionOf } from "~/domain/overview/attention";
import type { Overview } from "~/domain/overview/overview";
import type { Tone } from "~/domain/states";
import { useNow } from "../time/now";
import { SentenceText } from "../time/sentence";
import { HourTime, Time } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";
import { TEXT } from "../ui/tone";

const CAUSES = 5;

/** What needs a person, worst first. Nothing does: one quiet line says so. */
export function Problems({ stats, overview }: { stats: Stats; overview: Overview }) {
  const standing = useNow((now) => sweepStanding(stats.lastSweep, now));
  const { causes, counts } = stats;
  const attention = attentionOf(overview, stats);
  const urgent = attention.filter(({ tone }) => tone === "danger");
  const lesser = attention.filter(({ tone }) => tone !== "danger");
  if (standing === "well" && counts.dead === 0 && attention.length === 0) {
    return (
      <p className="flex items-center gap-2 rounded-lg bg-kumo-success-tint px-4 py-2.5 text-kumo-success ring ring-kumo-success/25">
        <CheckCircleIcon aria-hidden="true" size={18} weight="fill" className="shrink-0" />
        <span>No problems: nothing is dead, and the sweeper keeps time.</span>
      </p>
    );
  }
  return (
    <Card
      title="Problems"
      flush
      aside={counts.dead > 0 && <TextLink to="/dead">{plural(counts.dead, "dead job")}</TextLink>}
    >
      <ul className="divide-y divide-kumo-hairline">
        {standing !== "well" && <SweepProblem standing={standing} stats={stats} />}
        {urgent.map(asProblem)}
        {causes.slice(0, CAUSES).map(({ cause, n, lastHour }) => (
          <Problem key={cause} tone="danger" n={n}>
            <TextLink to={jobsAddress({ view: "dead", cause })} className="line-clamp-2 wrap-anywhere">
              {cause}
            </TextLink>
            <span className="text-sm whitespace-nowrap text-kumo-subtle">
              last one <HourTime at={lastHour} />
            </span>
          </Problem>
        ))}
        {causes.length > CAUSES && (
          <li className="px-4 py-2 text-sm">
            <TextLink to="/dead">{moreCauses(causes.length, CAUSES)}</TextLink>
          </li>
        )}
        {lesser.map(asProblem)}
      </ul>
    </Card>
  );
}

const asProblem = ({ key, tone, text, to }: Attention) => (
  <Problem key={key} tone={tone}>
    {to ? (
      <TextLink to={to} className="wrap-anywhere">
        <SentenceText sentence={text} />
      </TextLink>
    ) : (
      <span className={`wrap-anywhere ${TEXT[tone]}`}>
        <SentenceText sentence={text} />
      </span>
    )}
  </Problem>
);

const SWEEP_PROBLEMS: Record<Exclude<SweepStanding, "well">, { tone: Tone; title: string }> = {
  stopped: {
    tone: "danger",
    title: "The sweeper has stopped: what is lost is not repaired, and delayed jobs do not start",
  },
  late: { tone: "warning", title: "The sweeper is late" },
  failed: { tone: "warning", title: "The last sweep failed" },
  never: { tone: "warning", title: "No sweep has been seen yet: the first comes within a minute" },
};

function SweepProblem({ standing, stats }: { standing: Exclude<SweepStanding, "well">; stats: Stats }) {
  const { tone, title } = SWEEP_PROBLEMS[standing];
  return (
    <Problem tone={tone}>
      <span className={`font-medium wrap-anywhere ${TEXT[tone]}`}>
        {title}
        {standing === "failed" && `: ${stats.lastSweep?.error}`}
      </span>
      {stats.lastSweep && (
        <span className="text-sm whitespace-nowrap text-kumo-subtle">
          last seen <Time at={stats.lastSweep.finishedAt} />
        </span>
      )}
    </Problem>
  );
}

const BAR: Partial<Record<Tone, string>> = { danger: "border-l-kumo-danger", warning: "border-l-kumo-warning" };

const Problem = ({ tone, n, children }: { tone: Tone; n?: number; children: ReactNode }) => (
  <li className={`flex items-baseline gap-3 border-l-3 px-4 py-2.5 ${BAR[tone]}`}>
    <span className="min-w-12 text-right font-semibold text-kumo-danger tabular-nums">
      {n === undefined ? (
        <WarningIcon aria-hidden="true" size={16} weight="fill" className={`ml-auto inline ${TEXT[tone]}`} />
      ) : (
        count(n)
      )}
    </span>
    <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">{children}</div>
  </li>
);
