import type { ReactNode } from "react";
import type { SweepRow } from "~/domain/feeds";
import { count, duration } from "~/domain/format";
import { type SweepStanding, sweepStanding } from "~/domain/job/standing";
import type { Tone } from "~/domain/states";
import { useNow } from "../time/now";
import { Time } from "../time/time";
import { Card } from "../ui/card";
import { Dot } from "../ui/dot";

const STANDINGS: Record<SweepStanding, { tone: Tone; label: string }> = {
  well: { tone: "success", label: "on time" },
  failed: { tone: "warning", label: "failed" },
  late: { tone: "warning", label: "late" },
  stopped: { tone: "danger", label: "stopped" },
  never: { tone: "warning", label: "not seen yet" },
};

/** Whether the machinery that repairs what was lost is alive, and what it last did. */
export function SweepCard({ sweep }: { sweep: SweepRow | null }) {
  const standing = useNow((now) => sweepStanding(sweep, now));
  const { tone, label } = STANDINGS[standing];
  return (
    <Card
      title="Sweeper"
      aside={
        <span className="flex items-center gap-1.5">
          <Dot tone={tone} /> {label}
        </span>
      }
    >
      {sweep ? (
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 tabular-nums">
          <Fact name="Last sweep">
            <Time at={sweep.finishedAt} />
          </Fact>
          <Fact name="Took">{duration(Date.parse(sweep.finishedAt) - Date.parse(sweep.startedAt))}</Fact>
          <Fact name="Attempts found lost">{count(sweep.lost)}</Fact>
          {sweep.expired > 0 && <Fact name="Jobs expired">{count(sweep.expired)}</Fact>}
          <Fact name="Jobs made of schedules">{count(sweep.fired)}</Fact>
          <Fact name="Messages sent">{count(sweep.sent)}</Fact>
          <Fact name="Messages sent again">{count(sweep.resent)}</Fact>
          <Fact name="Old jobs removed">{count(sweep.removed)}</Fact>
          <Fact name="More left to do">{sweep.more ? "yes" : "no"}</Fact>
        </dl>
      ) : (
        <p className="text-kumo-subtle">
          It runs every minute: starts what is due, sends again what was lost, ends what hangs.
        </p>
      )}
      {sweep?.error && <p className="mt-3 font-mono text-sm text-kumo-danger wrap-anywhere">{sweep.error}</p>}
    </Card>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-kumo-subtle">{name}</dt>
    <dd className="text-right">{children}</dd>
  </>
);
