import type { ReactNode } from "react";
import { jobAddress, operationAddress } from "~/domain/addresses";
import type { JobDetail } from "~/domain/feeds";
import { count, plural, shortId } from "~/domain/format";
import type { WorksFor } from "~/domain/job/lineage";
import { scheduleAddress } from "~/domain/schedules/words";
import { VIEWS } from "~/domain/states";
import { watchAddress } from "~/domain/watches/words";
import { ExactTime } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";

/** Where it comes from, and what came of it. */
export const LineageCard = ({ job, worksFor }: { job: JobDetail; worksFor: WorksFor | null }) => (
  <Card title="Lineage">
    <dl className="flex flex-col gap-2.5 text-base">
      <Part name="Made by">
        <Maker job={job} worksFor={worksFor} />
      </Part>
      <Part name="Generation">
        {count(job.generation)}
        <span className="text-kumo-subtle">
          {job.generation === 1 ? " · never requeued" : ` · requeued ${plural(job.generation - 1, "time")}`}
        </span>
      </Part>
      {job.operationId && (
        <Part name="Changed last by operation">
          <TextLink to={operationAddress(job.operationId)}>{shortId(job.operationId)}</TextLink>
        </Part>
      )}
      {job.editedTo.length > 0 && (
        <Part name="Run again as">
          <ul>
            {job.editedTo.map(({ id, view }) => (
              <li key={id}>
                <TextLink to={jobAddress(id)}>{shortId(id)}</TextLink>{" "}
                <span className="text-sm text-kumo-subtle">{VIEWS[view].label.toLowerCase()}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </dl>
  </Card>
);

function Maker({ job, worksFor }: { job: JobDetail; worksFor: WorksFor | null }) {
  if (job.editedFrom) {
    return (
      <>
        a person, from <TextLink to={jobAddress(job.editedFrom)}>{shortId(job.editedFrom)}</TextLink>
      </>
    );
  }
  if (job.schedule) return <Schedule {...job.schedule} />;
  if (job.fanoutId) {
    return (
      <>
        event <TextLink to={jobAddress(job.fanoutId)}>{shortId(job.fanoutId)}</TextLink>
      </>
    );
  }
  if (worksFor && "operation" in worksFor) {
    return <TextLink to={operationAddress(worksFor.operation)}>a bulk operation</TextLink>;
  }
  if (worksFor) return <TextLink to={watchAddress(worksFor.watch)}>a watch</TextLink>;
  return "a submit";
}

const Schedule = ({ id, name, slotAt }: NonNullable<JobDetail["schedule"]>) => (
  <>
    {name === null ? (
      `a schedule that was deleted, ${shortId(id)}`
    ) : (
      <>
        schedule{" "}
        <TextLink to={scheduleAddress(id)} className="wrap-anywhere">
          {name}
        </TextLink>
      </>
    )}
    <span className="block text-sm text-kumo-subtle">
      {slotAt === null ? (
        "run by hand"
      ) : (
        <>
          slot <ExactTime at={slotAt} />
        </>
      )}
    </span>
  </>
);

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col">
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="min-w-0 tabular-nums">{children}</dd>
  </div>
);
