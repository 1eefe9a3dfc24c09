import { appContext } from "~/cloudflare";
import { SchedulesTable } from "~/components/schedules/schedules_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { token } from "~/domain/ids";
import { readCursor } from "~/domain/query/cursor";
import { schedulesAddress } from "~/domain/schedules/words";
import { schedulesFeed } from "~/queries/schedules";
import { useFeed } from "~/queries/use_feed";
import { listSchedules } from "~/store/reads/schedules";
import type { Route } from "./+types/schedules";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Schedules · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const asked = new URL(request.url).searchParams.get("cursor");
  const cursor = asked && readCursor(asked) ? asked : undefined;
  const page = await reading(app, "schedules", () => listSchedules(app.engine.store, { cursor }));
  return { page, cursor, form: token(), readAt: Date.now() };
}

export default function Schedules({ loaderData: { page, cursor, form, readAt } }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(schedulesFeed(cursor), { body: page, at: readAt }, !preferences.refresh);
  const { schedules, previous, next } = live.body;
  return (
    <>
      <PageHeader title="Schedules" lead="Each planned firing, a slot, is one job.">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
        <LinkButton to="/schedules/new" variant="primary" size="sm">
          New schedule
        </LinkButton>
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <Card flush>{schedules.length > 0 ? <SchedulesTable schedules={schedules} form={form} /> : <None />}</Card>
      {(previous || next) && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-2">
          {previous ? (
            <LinkButton size="sm" to={schedulesAddress(previous)} rel="prev">
              Newer
            </LinkButton>
          ) : (
            <span />
          )}
          {next && (
            <LinkButton size="sm" to={schedulesAddress(next)} rel="next">
              Older
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}

const None = () => (
  <div className="px-4 py-10 sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">Nothing is scheduled</h2>
    <p className="text-kumo-subtle">A schedule submits a job by cron, in any time zone, or every so many minutes.</p>
  </div>
);
