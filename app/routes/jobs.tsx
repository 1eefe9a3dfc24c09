import { useState } from "react";
import { appContext } from "~/cloudflare";
import { JobFilters } from "~/components/jobs/job_filters";
import { JobTabs } from "~/components/jobs/job_tabs";
import { NoJobs } from "~/components/jobs/no_jobs";
import { Pager } from "~/components/jobs/pager";
import { Scanned } from "~/components/jobs/scanned";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { jobListOf } from "~/domain/addresses";
import { columnsOf, DEFAULT_COLUMNS } from "~/domain/query/columns";
import { kindCounts, viewCounts } from "~/domain/query/counts";
import { readJobList } from "~/domain/query/list";
import { VIEW_NAMES, VIEWS } from "~/domain/states";
import { useShown } from "~/queries/use_shown";
import { listJobs } from "~/store/reads/list";
import type { Route } from "./+types/jobs";
import { curlOf } from "./support/curl";
import { useFrame } from "./support/frame";
import { LiveJobList } from "./support/job_list";
import { useKnownOperations } from "./support/known_operations";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";

export const meta: Route.MetaFunction = ({ location }) => {
  const { view } = jobListOf(new URLSearchParams(location.search));
  return [{ title: `${view ? `${VIEWS[view].label} jobs` : "Jobs"} · Redrive` }];
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { list, problems } = readJobList(new URL(request.url).searchParams);
  const page = await reading(app, "jobs", () => listJobs(app.engine.store, { ...list, brief: "1" }));
  return { list, problems, page, readAt: Date.now(), curl: curlOf(request, app.local) };
}

export default function Jobs({ loaderData }: Route.ComponentProps) {
  const { list, problems, page, readAt, curl } = loaderData;
  const { preferences } = useFrame();
  const stats = useStats();
  const shown = useShown();
  const [typed, setTyped] = useState("");
  const operations = useKnownOperations(typed);
  const counts = stats ? viewCounts(list, stats.body) : null;
  const ofCause = list.kind ? null : (stats?.body.causes.find(({ cause }) => cause === list.cause)?.n ?? null);
  const expected = list.cause ? (list.q ? null : ofCause) : list.view && counts ? counts[list.view] : null;
  const ever = stats ? VIEW_NAMES.some((view) => stats.body.counts[view] > 0) : true;
  const columns = columnsOf(list.columns ?? null);
  return (
    <>
      <PageHeader title="Jobs">
        {stats && (
          <RefreshControl at={stats.at} on={preferences.refresh} failed={shown.failed} onRefresh={shown.refetch} />
        )}
        <LinkButton to="/submit" variant="primary" size="sm">
          Submit
        </LinkButton>
      </PageHeader>
      <JobTabs list={list} counts={list.cause ? (stats?.body.counts ?? null) : counts} />
      <JobFilters
        list={list}
        problems={problems}
        kinds={stats ? kindCounts(list, stats.body) : []}
        causes={stats?.body.causes ?? []}
        ofCause={ofCause}
        operations={operations}
        typed={typed}
        onTyped={setTyped}
      />
      <LiveJobList
        label="Jobs"
        list={list}
        problems={problems}
        unapplied={typed.trim() !== ""}
        // The tab says the state of all its jobs, the filter beside it their kind.
        columns={
          columns ?? DEFAULT_COLUMNS.filter((name) => !(name === "state" ? list.view : name === "kind" && list.kind))
        }
        read={{ page, at: readAt }}
        empty={
          <NoJobs list={list} ever={ever} expected={expected} scanned={page.scanned} next={page.next} curl={curl} />
        }
        foot={(shown) => (
          <>
            {shown.jobs.length > 0 && <Scanned list={list} page={shown} />}
            {expected !== 0 && <Pager list={list} page={shown} />}
          </>
        )}
      />
    </>
  );
}
