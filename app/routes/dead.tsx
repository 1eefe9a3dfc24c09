import { appContext } from "~/cloudflare";
import { BulkAll } from "~/components/bulk/bulk_all";
import { useBulk } from "~/components/bulk/use_bulk";
import { CausesTable } from "~/components/causes_table";
import { JobAction } from "~/components/job_action";
import { nameOf } from "~/components/jobs/jobs_table";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { jobsAddress } from "~/domain/addresses";
import { count, plural } from "~/domain/format";
import { listJobs } from "~/store/reads/list";
import type { Route } from "./+types/dead";
import { Following, useFollowing } from "./support/following";
import { useFrame } from "./support/frame";
import { LiveJobList } from "./support/job_list";
import { useMatching } from "./support/matching";
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
  const { preferences, who } = useFrame();
  const stats = useStats();
  const n = stats?.body.counts.dead ?? loaderData.page.jobs.length;
  const { parts } = useMatching(LIST);
  const { following, follow } = useFollowing();
  const bulk = useBulk(follow);
  const reason = `Requeued by ${who.name}`;
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
        {stats && n > 0 && (
          <BulkAll action="requeue" filter={LIST} n={n} parts={parts} reason={reason} bulk={bulk}>
            Requeue all {count(n)}
          </BulkAll>
        )}
      </PageHeader>
      {stats && stats.body.causes.length > 0 && (
        <Card flush title="By cause">
          <CausesTable
            causes={stats.body.causes}
            action={({ cause, n }) => (
              <BulkAll action="requeue" filter={{ ...LIST, cause }} n={n} reason={reason} bulk={bulk}>
                Requeue all {count(n)}
                <span className="sr-only"> of the cause {cause}</span>
              </BulkAll>
            )}
          />
        </Card>
      )}
      {bulk.dialog}
      {following && <Following key={following} id={following} />}
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
