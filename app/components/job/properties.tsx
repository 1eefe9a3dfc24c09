import type { ReactNode } from "react";
import { jobsAddress } from "~/domain/addresses";
import type { JobDetail } from "~/domain/feeds";
import { count, duration } from "~/domain/format";
import { givenKey } from "~/domain/own_keys";
import { writeTerm } from "~/domain/query/write";
import { isFinal } from "~/domain/states";
import { ExactTime, Time } from "../time/time";
import { Card } from "../ui/card";
import { TextLink } from "../ui/text_link";

/** Everything else that is known of a job. */
export function Properties({ job }: { job: JobDetail }) {
  const key = givenKey(job.idempotencyKey);
  return (
    <Card title="Properties">
      <dl className="flex flex-col gap-2.5 text-base">
        <Property name="Kind">
          <TextLink to={jobsAddress({ kind: job.kind })}>{job.kind}</TextLink>
        </Property>
        <Property name="Tries used">
          {count(job.tries)} of {count(job.maxAttempts)}
          {job.attempt > job.tries && <span className="text-kumo-subtle"> · {count(job.attempt)} attempts in all</span>}
        </Property>
        <Property name="Lane">{job.lane}</Property>
        <When name="Submitted" at={job.createdAt} />
        {isFinal(job.state) ? (
          <>
            {job.finishedAt && <When name="Ended" at={job.finishedAt} />}
            {job.finishedAt && (
              <Property name="From submit to end">
                {duration(Date.parse(job.finishedAt) - Date.parse(job.createdAt))}
              </Property>
            )}
          </>
        ) : (
          <When name="Due" at={job.runAt} />
        )}
        {job.expiresAt && <When name="Expires" at={job.expiresAt} past="passed" />}
        {job.groupKey && (
          <Property name="Group">
            <TextLink
              to={jobsAddress({ q: writeTerm({ field: "group", not: false, values: [job.groupKey] }) })}
              className="wrap-anywhere"
            >
              {job.groupKey}
            </TextLink>
          </Property>
        )}
        {job.sentAt && <When name="Sent" at={job.sentAt} />}
        {job.leaseUntil && <When name="Lease until" at={job.leaseUntil} past="ran out" />}
        {key && (
          <Property name="Idempotency key">
            <span className="font-mono text-sm wrap-anywhere">{key}</span>
          </Property>
        )}
        {job.attempts[0] && (
          <Property name="Last run by release">
            <span className="font-mono text-sm wrap-anywhere">{job.attempts[0].appVersion}</span>
          </Property>
        )}
      </dl>
    </Card>
  );
}

const Property = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col">
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="min-w-0 tabular-nums">{children}</dd>
  </div>
);

const When = ({ name, at, past }: { name: string; at: string; past?: string }) => (
  <Property name={name}>
    <ExactTime at={at} />{" "}
    <span className="text-sm text-kumo-subtle">
      <Time at={at} past={past} />
    </span>
  </Property>
);
