import { data, useSearchParams } from "react-router";
import { appContext } from "~/cloudflare";
import { FileResultCard } from "~/components/files/file_result";
import { AuditList } from "~/components/job/audit_list";
import { JobHeader } from "~/components/job/job_header";
import { JsonCard } from "~/components/job/json_card";
import { Properties } from "~/components/job/properties";
import { Timeline } from "~/components/job/timeline";
import { Trouble } from "~/components/job/trouble";
import { WayBack } from "~/components/job/way_back";
import { nameOf } from "~/components/jobs/jobs_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { RefreshControl } from "~/components/shell/refresh_control";
import { FanoutCard } from "~/components/webhooks/fanout_card";
import { jobAddress } from "~/domain/addresses";
import { fileOfJob } from "~/domain/files";
import { resultText } from "~/domain/pretty";
import { jobFeed } from "~/queries/job";
import { useFeed } from "~/queries/use_feed";
import { readJob } from "~/store/reads/job";
import type { Route } from "./+types/job";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${nameOf(loaderData.job)} · Redrive` : "No such job · Redrive" },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const job = await reading(app, "job", () => readJob(app.engine.store, params.id, app.engine.kinds));
  if (!job) throw data({ reason: "no-such-job" }, { status: 404 });
  // The page shows the payload's own text: sent once, not twice.
  return { job: { ...job, payload: null }, readAt: Date.now() };
}

export default function Job({ loaderData, params }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const [search] = useSearchParams();
  const live = useFeed(jobFeed(params.id), { body: loaderData.job, at: loaderData.readAt }, !preferences.refresh);
  const job = live.body;
  const sameCause = useStats()?.body.causes.find(({ cause }) => cause === job.cause)?.n ?? null;
  const result = resultText(job.result);
  const file = fileOfJob(job);
  return (
    <>
      <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <WayBack />
        <RefreshControl
          at={live.at}
          on={preferences.refresh}
          final={live.final}
          failed={live.failed !== null}
          onRefresh={live.refetch}
        />
      </div>
      <JobHeader job={job} />
      <FeedBanner failed={live.failed} at={live.at} gone="This job is stored no more" />
      <Trouble job={job} sameCause={sameCause} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          {job.fanout && <FanoutCard fanout={job.fanout} />}
          {file && <FileResultCard {...file} jobId={job.id} />}
          <Timeline job={job} all={search.get("attempts") === "all"} />
          <JsonCard title="Payload" text={job.payloadText} download={`${jobAddress(job.id)}/payload`} />
          {result !== null && <JsonCard title="Result" text={result} />}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Properties job={job} />
          <AuditList audit={job.audit} />
        </div>
      </div>
    </>
  );
}
