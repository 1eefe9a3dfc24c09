import type { HeldKind } from "~/domain/bulk/feeds";
import type { JobRow } from "~/domain/feeds";
import { useNow } from "../time/now";
import { Elapsed, Time } from "../time/time";

/** The one time that matters of a job in its state, in words. `held`: its kind is, and so it is once it is due. */
export function JobWhen({ job, held }: { job: JobRow; held?: HeldKind }) {
  const due = useNow((now) => job.state === "pending" && Date.parse(job.runAt) <= now);
  if (due && job.heldByGroup) return <span title="others of its group run">held by its group</span>;
  if (held && due) {
    const by = BY[held.by](held);
    return <span title={by.filter(Boolean).join(" · ")}>held {by[0]}</span>;
  }
  switch (job.view) {
    case "scheduled":
      return <Words before="due" at={job.runAt} />;
    case "retrying":
      return <Words before="retry" at={job.runAt} past="due" />;
    case "processing":
      return (
        <span className="whitespace-nowrap">
          runs for <Elapsed since={job.startedAt ?? job.createdAt} />
        </span>
      );
    case "pending":
      return (
        <Words before={job.generation > 1 ? "due" : "submitted"} at={job.generation > 1 ? job.runAt : job.createdAt} />
      );
    default:
      return <Words before={ENDS[job.view]} at={job.finishedAt ?? job.createdAt} />;
  }
}

const BY: Record<HeldKind["by"], (held: HeldKind) => (string | null)[]> = {
  paused: ({ who, reason }) => ["by pause", who, reason],
  "unknown-kind": () => ["by its kind: not known to this release"],
  limit: ({ reason }) => ["by the limit of its kind", reason],
  rate: ({ reason }) => ["by the rate of its kind", reason],
};

const ENDS = { done: "done", dead: "died", cancelled: "cancelled" };

const Words = ({ before, at, past }: { before: string; at: string; past?: string }) => (
  <span className="whitespace-nowrap">
    <span className="text-kumo-subtle">{before}</span> <Time at={at} past={past} />
  </span>
);
