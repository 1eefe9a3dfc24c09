import { useSearchParams } from "react-router";
import { appContext, readerOf } from "~/cloudflare";
import { FileResultCard } from "~/components/files/file_result";
import { AuditList } from "~/components/job/audit_list";
import { EffectsCard } from "~/components/job/effects_card";
import { JobHeader } from "~/components/job/job_header";
import { JsonCard } from "~/components/job/json_card";
import { LineageCard } from "~/components/job/lineage_card";
import { Properties } from "~/components/job/properties";
import { RunsCard } from "~/components/job/runs_card";
import { Timeline } from "~/components/job/timeline";
import { Trouble } from "~/components/job/trouble";
import { WayBack } from "~/components/job/way_back";
import { nameOf } from "~/components/jobs/jobs_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { RefreshControl } from "~/components/shell/refresh_control";
import { FanoutCard } from "~/components/webhooks/fanout_card";
import { attemptOf, jobAddress } from "~/domain/addresses";
import { fileOfJob } from "~/domain/files/files";
import { worksForOf } from "~/domain/job/lineage";
import { resultText } from "~/domain/job/pretty";
import { jobFeed } from "~/queries/job";
import { useFeed } from "~/queries/use_feed";
import { readJobPage } from "~/store/reads/job";
import type { Route } from "./+types/job";
import { useFrame } from "./support/frame";
import { goneJob } from "./support/gone_job.server";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";
import { canBeMade } from "./support/submit_form.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${nameOf(loaderData.job)} · Redrive` : "No such job · Redrive" },
];

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { engine } = app;
  const attempt = attemptOf(new URL(request.url).searchParams);
  const page = await reading(app, "job", () => readJobPage(engine.store, params.id, readerOf(app), attempt));
  if (!page) throw await reading(app, "job", () => goneJob(engine, params.id));
  const { job, runs } = page;
  // The page shows the payload's own text: sent once, not twice.
  return {
    job: { ...job, payload: null },
    runs,
    worksFor: worksForOf(job),
    again: canBeMade(engine.kinds.get(job.kind)),
    attempt,
    readAt: Date.now(),
  };
}

export default function Job({ loaderData, params }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const [search] = useSearchParams();
  const { runs, worksFor, attempt } = loaderData;
  const live = useFeed(
    jobFeed(params.id, attempt),
    { body: loaderData.job, at: loaderData.readAt },
    !preferences.refresh,
  );
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
      <JobHeader job={job} again={loaderData.again} />
      <FeedBanner failed={live.failed} at={live.at} gone="This job is stored no more" />
      <Trouble job={job} sameCause={sameCause} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          {job.fanout && <FanoutCard fanout={job.fanout} />}
          {file && <FileResultCard {...file} jobId={job.id} />}
          <Timeline job={job} all={search.get("attempts") === "all"} from={attempt} />
          {job.effects.length > 0 && <EffectsCard effects={job.effects} running={job.state === "processing"} />}
          <JsonCard title="Payload" text={job.payloadText} download={`${jobAddress(job.id)}/payload`} />
          {result !== null && <JsonCard title="Result" text={result} />}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Properties job={job} />
          <LineageCard job={job} worksFor={worksFor} />
          {runs.length > 1 && <RunsCard kind={job.kind} runs={runs} id={job.id} />}
          <AuditList audit={job.audit} of={job.id} />
        </div>
      </div>
    </>
  );
}
