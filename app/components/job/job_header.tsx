import type { JobDetail } from "~/domain/feeds";
import { submitAddress } from "~/domain/form/address";
import { canCancel, canRequeue, VIEWS } from "~/domain/states";
import { JobAction } from "../job_action";
import { nameOf } from "../jobs/jobs_table";
import { useRights } from "../rights";
import { LinkButton } from "../ui/button";
import { CopyButton } from "../ui/copy_button";
import { StateBadge } from "../ui/state_badge";

/** What it is, how it stands, what can be done: a button that cannot be used says why. */
export function JobHeader({ job, again }: { job: JobDetail; again: boolean }) {
  const { payloads } = useRights();
  const name = nameOf(job);
  const title = job.label ?? `${job.kind} ${name}`;
  const action = { jobId: job.id, of: `${job.kind} ${name}`, generation: job.generation };
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl leading-8 font-semibold tracking-tight text-kumo-strong wrap-anywhere">{title}</h1>
          <StateBadge view={job.view} />
        </div>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-kumo-subtle">
          <span>{job.kind}</span>
          <span aria-hidden="true">·</span>
          <span className="font-mono wrap-anywhere">{job.id}</span>
          <CopyButton text={job.id} what="job id" />
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
        <JobAction
          {...action}
          verb="requeue"
          primary={job.state === "dead"}
          disabled={canRequeue(job.state) ? null : whyNot(job, "requeued", "dead or cancelled")}
        />
        <JobAction {...action} verb="cancel" disabled={cancelReason(job)} />
        {again && payloads && (
          <LinkButton to={submitAddress({ kind: job.kind, from: job.id })} title="A new job of this one's payload">
            Edit and run
          </LinkButton>
        )}
      </div>
    </div>
  );
}

function cancelReason(job: JobDetail): string | null {
  if (!canCancel(job.state)) return whyNot(job, "cancelled", "pending or processing");
  return job.cancelRequestedAt ? "A cancel was requested already: it stops at the next heartbeat." : null;
}

const whyNot = (job: JobDetail, verb: string, states: string): string =>
  `This job is ${VIEWS[job.view].label.toLowerCase()}. Only ${states} jobs can be ${verb}.`;
