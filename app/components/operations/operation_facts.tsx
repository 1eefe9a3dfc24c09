import type { ReactNode } from "react";
import { jobAddress, jobsAddress } from "~/domain/addresses";
import { filterText } from "~/domain/bulk/bulk";
import type { OperationDetail } from "~/domain/bulk/feeds";
import { filterOf } from "~/domain/bulk/words";
import { count, shortId } from "~/domain/format";
import { DoneHere } from "../activity/done_here";
import { ExactTime, Time } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";

/** Who asked for what, and why. */
export function OperationFacts({ operation }: { operation: OperationDetail }) {
  const { actor, reason, pace, cutoff, createdAt, endedAt, job } = operation;
  const filter = filterOf(operation);
  return (
    <Card title="Properties">
      <dl className="flex flex-col gap-2.5 text-base">
        <Fact name="Asked for by">
          <span className="wrap-anywhere">{actor}</span>
          {reason && <span className="block text-sm text-kumo-subtle wrap-anywhere">“{reason}”</span>}
        </Fact>
        <Fact name="What is meant">
          <TextLink to={jobsAddress(filter)} className="wrap-anywhere">
            {filterText(filter)}
          </TextLink>
        </Fact>
        <Fact name="As they were at">
          <ExactTime at={cutoff} />
          <span className="block text-sm text-kumo-subtle">Later ones are not touched.</span>
        </Fact>
        <Fact name="Pace">{pace === null ? "as fast as it goes" : `${count(pace)} a minute at most`}</Fact>
        <Fact name="Begun">
          <Time at={createdAt} />
        </Fact>
        {endedAt && (
          <Fact name="Ended">
            <Time at={endedAt} />
          </Fact>
        )}
        <Fact name="Worked off by">
          {job ? <TextLink to={jobAddress(job.id)}>job {shortId(job.id)}</TextLink> : "a job that is stored no more"}
        </Fact>
        <Fact name="Activity">
          <DoneHere object={operation.id} className="" />
        </Fact>
      </dl>
    </Card>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col">
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="min-w-0 tabular-nums">{children}</dd>
  </div>
);
