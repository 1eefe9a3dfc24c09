import { appContext } from "~/cloudflare";
import { NoJobs } from "~/components/jobs/no_jobs";
import { Counts } from "~/components/overview/counts";
import { KindsTable } from "~/components/overview/kinds_table";
import { Problems } from "~/components/overview/problems";
import { SweepCard } from "~/components/overview/sweep_card";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Card } from "~/components/ui/card";
import { VIEW_NAMES } from "~/domain/states";
import { readRevision } from "~/store/reads/revision";
import type { Route } from "./+types/overview";
import { curlOf } from "./support/curl";
import { Failure } from "./support/failure";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";

export const meta: Route.MetaFunction = () => [{ title: "Overview · Redrive" }];

/** The numbers come with the frame; this asks only whether there are any, so that the answer's status is right. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  await reading(app, "overview", () => readRevision(app.engine.store));
  return { curl: curlOf(request, app.local) };
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useStats();
  if (!live) return <Failure error={null} />;
  const stats = live.body;
  const ever = VIEW_NAMES.some((view) => stats.counts[view] > 0);
  return (
    <>
      <PageHeader title="Overview">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      {ever || stats.lastSweep ? <Problems stats={stats} /> : null}
      <Counts counts={stats.counts} />
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
