import type { JobRow } from "~/domain/feeds";
import { Elapsed, Time } from "../time/time";

/** The one time that matters of a job in its state, in words. */
export function JobWhen({ job }: { job: JobRow }) {
  switch (job.view) {
    case "scheduled":
      return <Words before="due" at={job.runAt} />;
    case "retrying":
      return <Words before="retry" at={job.runAt} />;
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

const ENDS = { done: "done", dead: "died", cancelled: "cancelled" };

const Words = ({ before, at }: { before: string; at: string }) => (
  <span className="whitespace-nowrap">
    <span className="text-kumo-subtle">{before}</span> <Time at={at} />
  </span>
);
