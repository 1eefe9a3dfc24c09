import { appContext } from "~/cloudflare";
import { NoJobs } from "~/components/jobs/no_jobs";
import { ChartsCard } from "~/components/overview/charts_card";
import { Counts } from "~/components/overview/counts";
import { KindsTable } from "~/components/overview/kinds_table";
import { Problems } from "~/components/overview/problems";
import { RunningOperations } from "~/components/overview/running_operations";
import { SweepCard } from "~/components/overview/sweep_card";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Card } from "~/components/ui/card";
import { chartViewOf } from "~/domain/overview/address";
import { preferencesOf, zoneNameOf } from "~/domain/shell/preferences";
import { VIEW_NAMES } from "~/domain/states";
import { overviewOf } from "~/lifecycle/overview";
import { overviewFeed } from "~/queries/overview";
import { useFeed } from "~/queries/use_feed";
import { useShown } from "~/queries/use_shown";
import type { Route } from "./+types/overview";
import { curlOf } from "./support/curl";
import { Failure } from "./support/failure";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";

export const meta: Route.MetaFunction = () => [{ title: "Overview · Redrive" }];

/** Counts and causes come with the frame; this reads what the charts show, and what needs a person beside the dead. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const usual = zoneNameOf(preferencesOf(request.headers.get("cookie")));
  const view = chartViewOf(new URL(request.url).searchParams, usual);
  const overview = await reading(app, "overview", () => overviewOf(app.engine, view));
  return { view, overview, readAt: Date.now(), curl: curlOf(request, app.local) };
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useStats();
  const { view, readAt } = loaderData;
  const charted = useFeed(overviewFeed(view), { body: loaderData.overview, at: readAt }, !preferences.refresh);
  const shown = useShown();
  if (!live) return <Failure error={null} />;
  const stats = live.body;
  const ever = VIEW_NAMES.some((view) => stats.counts[view] > 0);
  return (
    <>
      <PageHeader title="Overview">
        <RefreshControl at={live.at} on={preferences.refresh} failed={shown.failed} onRefresh={shown.refetch} />
      </PageHeader>
      <FeedBanner failed={live.failed ?? charted.failed} at={live.at} />
      {ever || stats.lastSweep ? <Problems stats={stats} overview={charted.body} /> : null}
      <RunningOperations running={stats.running} />
      <Counts counts={stats.counts} />
      {ever && <ChartsCard overview={charted.body} />}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_18rem]">
        {ever ? (
          <KindsTable kinds={stats.kinds} />
        ) : (
          <Card flush>
            <NoJobs list={{}} ever={false} expected={0} scanned={null} next={null} curl={loaderData.curl} />
          </Card>
        )}
        <SweepCard sweep={stats.lastSweep} />
      </div>
    </>
  );
}
