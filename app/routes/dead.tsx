import { appContext } from "~/cloudflare";
import { CausesTable } from "~/components/causes_table";
import { JobAction } from "~/components/job_action";
import { nameOf } from "~/components/jobs/jobs_table";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { jobsAddress } from "~/domain/addresses";
import { plural } from "~/domain/format";
import { listJobs } from "~/store/reads/list";
import type { Route } from "./+types/dead";
import { useFrame } from "./support/frame";
import { LiveJobList } from "./support/job_list";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";

export const meta: Route.MetaFunction = () => [{ title: "Dead jobs · Redrive" }];

const LIST = { view: "dead" } as const;

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const page = await reading(app, "dead", () => listJobs(app.engine.store, LIST));
  return { page, readAt: Date.now() };
}

export default function Dead({ loaderData }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const stats = useStats();
  const n = stats?.body.counts.dead ?? loaderData.page.jobs.length;
  return (
    <>
      <PageHeader
        title="Dead jobs"
        lead={n > 0 ? `${plural(n, "job")} used up all tries, or failed in a way that no retry can help.` : undefined}
      >
        {stats && (
          <RefreshControl
            at={stats.at}
            on={preferences.refresh}
            failed={stats.failed !== null}
            onRefresh={stats.refetch}
          />
        )}
      </PageHeader>
      {stats && stats.body.causes.length > 0 && (
        <Card flush title="By cause">
          <CausesTable causes={stats.body.causes} />
        </Card>
      )}
      <LiveJobList
        label="Newest dead jobs"
        title="Newest"
        list={LIST}
        states={false}
        read={{ page: loaderData.page, at: loaderData.readAt }}
        action={(job) => (
          <JobAction
            verb="requeue"
            size="sm"
            jobId={job.id}
            generation={job.generation}
            of={`${job.kind} ${nameOf(job)}`}
          />
        )}
        empty={<NothingDead />}
        foot={(page) =>
          page.next && (
            <p>
              <TextLink to={jobsAddress({ view: "dead", cursor: page.next })}>Older dead jobs</TextLink>
            </p>
          )
        }
      />
    </>
  );
}

const NothingDead = () => (
  <div className="px-4 py-10 sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">Nothing is dead</h2>
    <p className="text-kumo-subtle">Jobs come here when they have used up all tries, or when no retry can help.</p>
  </div>
);
