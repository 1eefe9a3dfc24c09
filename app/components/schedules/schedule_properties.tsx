import type { ReactNode } from "react";
import { jobAddress, jobsAddress } from "~/domain/addresses";
import { count, shortId } from "~/domain/format";
import type { ScheduleDetail } from "~/domain/schedules/feeds";
import { MISSED, OVERLAP } from "~/domain/schedules/schedule";
import { ExactTime } from "../time/time";
import { Card } from "../ui/card";
import { StateBadge } from "../ui/state_badge";
import { TextLink } from "../ui/text_link";

/** Everything else that is known of a schedule. */
export const ScheduleProperties = ({ schedule }: { schedule: ScheduleDetail }) => (
  <Card title="Properties">
    <dl className="flex flex-col gap-2.5 text-base">
      <Property name="Kind">
        <TextLink to={jobsAddress({ kind: schedule.kind })}>{schedule.kind}</TextLink>
      </Property>
      {schedule.cron !== null && (
        <Property name="Expression">
          <span className="font-mono text-sm wrap-anywhere">{schedule.cron}</span>
        </Property>
      )}
      <Property name="Time zone">{schedule.timeZone}</Property>
      <Property name="Missed slots">
        {MISSED[schedule.missed].label}
        {schedule.missed === "all" && ` (at most ${count(schedule.missedMax)})`}
        <span className="block text-sm text-kumo-subtle">{MISSED[schedule.missed].means}</span>
      </Property>
      <Property name="Overlap">
        {OVERLAP[schedule.overlap].label}
        <span className="block text-sm text-kumo-subtle">{OVERLAP[schedule.overlap].means}</span>
      </Property>
      <Property name="Priority">{schedule.priority}</Property>
      {schedule.maxAttempts !== null && <Property name="Tries at most">{count(schedule.maxAttempts)}</Property>}
      {schedule.unfinished.length > 0 && (
        <Property name="Unfinished jobs">
          {schedule.unfinished.map(({ id, view }) => (
            <span key={id} className="flex flex-wrap items-center gap-2">
              <TextLink to={jobAddress(id)} className="font-mono text-sm">
                {shortId(id)}
              </TextLink>
              <StateBadge view={view} />
            </span>
          ))}
        </Property>
      )}
      <Property name="Created">
        <ExactTime at={schedule.createdAt} />
      </Property>
      <Property name="Version">{count(schedule.version)}</Property>
    </dl>
  </Card>
);

const Property = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-col">
    <dt className="text-sm text-kumo-subtle">{name}</dt>
    <dd className="min-w-0 tabular-nums">{children}</dd>
  </div>
);
