import type { ReactNode } from "react";
import { Link } from "react-router";
import { attemptAddress } from "~/domain/addresses";
import type { AttemptRow, JobDetail } from "~/domain/feeds";
import { count, plural } from "~/domain/format";
import { backoffOf } from "~/domain/job/timeline";
import type { Tone } from "~/domain/states";
import { Elapsed, Time } from "../time/time";
import { Card } from "../ui/card";
import { Dot } from "../ui/dot";
import { Attempt } from "./attempt";
import { Progress } from "./progress";

/** The payload should not be pages away; a few more than these are shown all the same. */
const SHOWN = 5;
const ALL_UP_TO = 8;

/**
 * What happened, newest first: attempts, late results turned away, and who began it anew. However many there are, a page of
 * them is here; `from`: the attempt that the address asks for.
 */
export function Timeline({ job, all, from }: { job: JobDetail; all: boolean; from: number | null }) {
  const shown = all || from !== null || job.attempts.length <= ALL_UP_TO ? job.attempts : job.attempts.slice(0, SHOWN);
  const longest = Math.max(1, ...shown.map((attempt) => attempt.waitedMs + attempt.ranMs));
  const hidden = job.attempts.length - shown.length;
  const ran = job.state === "processing" ? job.attempt - 1 : job.attempt;
  const oldest = job.attempts.at(-1)?.number ?? 0;
  const newer = from === null ? 0 : ran - (job.attempts[0]?.number ?? 0);
  return (
    <Card
      title="Attempts"
      flush
      aside={ran > 0 ? plural(ran, "attempt") : job.state === "processing" ? "the first one" : "none yet"}
    >
      <ol className="flex flex-col py-2">
        {newer > 0 ? (
          <Step tone="neutral">
            <Link to="." preventScrollReset className="text-kumo-link underline underline-offset-2">
              {plural(newer, "newer attempt")}
            </Link>
          </Step>
        ) : (
          <Coming job={job} />
        )}
        {shown.map((attempt, index) => (
          <Attempt
            key={attempt.number}
            jobId={job.id}
            attempt={attempt}
            backoffMs={backoffOf(attempt, job.attempts[index + 1])}
            longest={longest}
            open={attempt.number === from || (index === 0 && attempt.outcome !== "done")}
            refusals={job.refusals.filter((refusal) => refusal.number === attempt.number)}
            beganAnew={
              beginsGeneration(job.attempts, attempt) ? <BeganAnew job={job} generation={attempt.generation} /> : null
            }
          />
        ))}
        {hidden > 0 && (
          <Step tone="neutral">
            <Link to="?attempts=all" preventScrollReset className="text-kumo-link underline underline-offset-2">
              Show {plural(hidden, "older attempt")}
            </Link>
          </Step>
        )}
        {oldest > 1 && hidden === 0 && (
          <Step tone="neutral">
            <Link to={attemptAddress(job.id, oldest - 1)} className="text-kumo-link underline underline-offset-2">
              {plural(oldest - 1, "older attempt")}
            </Link>
          </Step>
        )}
        <Step tone="neutral">
          <span className="text-kumo-subtle">
            Submitted <Time at={job.createdAt} />
          </span>
        </Step>
      </ol>
    </Card>
  );
}

/** The attempt that runs, or that comes next. */
function Coming({ job }: { job: JobDetail }) {
  if (job.state === "processing") {
    return (
      <Step tone="progress">
        <span className="font-medium">Attempt {count(job.attempt)}</span>{" "}
        <span className="text-kumo-info">running</span>{" "}
        {job.startedAt && (
          <span className="text-kumo-subtle">
            for <Elapsed since={job.startedAt} />
          </span>
        )}
        {job.progress && <Progress text={job.progress} />}
      </Step>
    );
  }
  if (job.state !== "pending") return null;
  return (
    <>
      <Step tone="neutral">
        <span className="font-medium">Attempt {count(job.attempt + 1)}</span>{" "}
        <span className="text-kumo-subtle">
          due <Time at={job.runAt} />
        </span>
      </Step>
      {job.generation > (job.attempts[0]?.generation ?? job.generation) && (
        <BeganAnew job={job} generation={job.generation} />
      )}
    </>
  );
}

/** Whether the attempt before this one, in time, belongs to an earlier generation. */
function beginsGeneration(attempts: AttemptRow[], attempt: AttemptRow): boolean {
  const before = attempts.find((other) => other.number < attempt.number);
  return before !== undefined && before.generation < attempt.generation;
}

function BeganAnew({ job, generation }: { job: JobDetail; generation: number }) {
  const entry = job.audit.find((row) => row.action === "requeue" && generationAfter(row.after) === generation);
  return (
    <li className="my-1 flex items-center gap-3 px-4 text-sm text-kumo-subtle">
      <span aria-hidden="true" className="h-px flex-1 bg-kumo-line" />
      <span className="wrap-anywhere">
        Generation {count(generation)}
        {entry ? (
          <>
            {" "}
            · requeued by {entry.actor} <Time at={entry.at} />
          </>
        ) : (
          " · requeued"
        )}
      </span>
      <span aria-hidden="true" className="h-px flex-1 bg-kumo-line" />
    </li>
  );
}

function generationAfter(after: string | null): number | null {
  try {
    return (JSON.parse(after ?? "null") as { generation?: number } | null)?.generation ?? null;
  } catch {
    return null;
  }
}

const Step = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <li className="flex gap-3 px-4 py-2">
    <Dot tone={tone} className="mt-1.5" />
    <div className="min-w-0 flex-1">{children}</div>
  </li>
);
