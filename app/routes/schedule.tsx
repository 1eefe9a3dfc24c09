import { data } from "react-router";
import { appContext, readerOf } from "~/cloudflare";
import { AuditList } from "~/components/job/audit_list";
import { JsonCard } from "~/components/job/json_card";
import { Firings } from "~/components/schedules/firings";
import { ScheduleAction } from "~/components/schedules/schedule_action";
import { ScheduleProperties } from "~/components/schedules/schedule_properties";
import { SlotGrid } from "~/components/schedules/slot_grid";
import { SlotsTable } from "~/components/schedules/slots_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Time } from "~/components/time/time";
import { Banner } from "~/components/ui/banner";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { token } from "~/domain/ids";
import { scheduleAddress } from "~/domain/schedules/words";
import { scheduleFeed } from "~/queries/schedules";
import { useFeed } from "~/queries/use_feed";
import { readSchedule } from "~/store/reads/schedule";
import type { Route } from "./+types/schedule";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.schedule.name} · Redrive` : "No such schedule · Redrive" },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const schedule = await reading(app, "schedule", () => readSchedule(app.engine.store, params.id, readerOf(app)));
  if (!schedule) throw data({ reason: "no-such-schedule" }, { status: 404 });
  return { schedule, form: token(), readAt: Date.now() };
}

export default function Schedule({ loaderData, params }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const read = { body: loaderData.schedule, at: loaderData.readAt };
  const live = useFeed(scheduleFeed(params.id), read, !preferences.refresh);
  const schedule = live.body;
  const action = { id: schedule.id, of: schedule.name, form: loaderData.form };
  return (
    <>
      <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <nav aria-label="Breadcrumb" className="text-sm">
          <TextLink to="/schedules">Schedules</TextLink>
        </nav>
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </div>
      <PageHeader
        title={schedule.name}
        lead={schedule.text + (schedule.cron === null ? "" : ` · ${schedule.timeZone}`)}
      >
        <ScheduleAction verb="run" {...action} />
        <ScheduleAction verb={schedule.paused ? "resume" : "pause"} {...action} />
        <LinkButton to={`${scheduleAddress(schedule.id)}/edit`}>Edit</LinkButton>
        <LinkButton to={`${scheduleAddress(schedule.id)}/delete`} variant="secondary-destructive">
          Delete
        </LinkButton>
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} gone="This schedule was deleted" />
      {schedule.error && (
        <Banner
          tone="danger"
          title={schedule.nextAt || schedule.paused ? "The last slot got no job" : "Stopped: it fires no more"}
        >
          {schedule.error.text} · <Time at={schedule.error.at} />
        </Banner>
      )}
      {schedule.paused && (
        <Banner tone="warning" title="Paused: no slot fires">
          {schedule.paused.by && `By ${schedule.paused.by}, `}
          <Time at={schedule.paused.at} />. Resumed, it goes on with the first slot from then.
        </Banner>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          {schedule.preview && (
            <Card flush title={schedule.paused ? "Next firings, once resumed" : "Next firings"}>
              <Firings preview={schedule.preview} zone={schedule.timeZone} />
            </Card>
          )}
          <Card title="Newest slots">
            <SlotGrid slots={schedule.recent} />
          </Card>
          {schedule.recent.length > 0 && (
            <Card flush title="What became of each">
              <SlotsTable slots={schedule.recent} jobs={schedule.jobs} />
            </Card>
          )}
          <JsonCard title="Payload" text={schedule.payloadText} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ScheduleProperties schedule={schedule} />
          <AuditList audit={schedule.audit} of={schedule.id} />
        </div>
      </div>
    </>
  );
}
