import { useRevalidator } from "react-router";
import { appContext } from "~/cloudflare";
import { BulkAll } from "~/components/bulk/bulk_all";
import { Matrix } from "~/components/dead/matrix";
import { JobAction } from "~/components/job_action";
import { nameOf } from "~/components/jobs/jobs_table";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { jobsAddress } from "~/domain/addresses";
import { ownJobs, ownText } from "~/domain/bulk/beside";
import { killsOperations } from "~/domain/bulk/bulk";
import { deadAddress, readCauseCursor } from "~/domain/dead/dead";
import { lettersAddress } from "~/domain/dead/letters";
import { count, plural } from "~/domain/format";
import { deadFeed } from "~/queries/dead";
import { mergeCauses } from "~/queries/merge_causes";
import { useFeed } from "~/queries/use_feed";
import { useShown } from "~/queries/use_shown";
import { readDead } from "~/store/reads/dead";
import { listJobs } from "~/store/reads/list";
import type { Route } from "./+types/dead";
import { useAsking } from "./support/asking";
import { Following, useFollowing } from "./support/following";
import { useFrame } from "./support/frame";
import { LiveJobList } from "./support/job_list";
import { useMatching } from "./support/matching";
import { reading } from "./support/read.server";
import { useStats } from "./support/stats";

export const meta: Route.MetaFunction = () => [{ title: "Dead jobs · Redrive" }];

const LIST = { view: "dead" } as const;

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { store } = app.engine;
  const after = new URL(request.url).searchParams.get("after");
  const cursor = after === null ? null : readCauseCursor(after);
  const [dead, page] = await reading(app, "dead", () =>
    Promise.all([readDead(store, cursor), listJobs(store, { ...LIST, brief: "1" })]),
  );
  return { after: cursor && after, dead, page, readAt: Date.now() };
}

export default function Dead({ loaderData }: Route.ComponentProps) {
  const { preferences, who } = useFrame();
  const stats = useStats();
  const shown = useShown();
  const n = stats?.body.counts.dead ?? loaderData.page.jobs.length;
  const { matching, parts } = useMatching(LIST);
  const { following, follow } = useFollowing();
  const bulk = useAsking(follow);
  const reason = `Requeued by ${who.name}`;
  const read = { body: loaderData.dead, at: loaderData.readAt };
  const live = useFeed(deadFeed(loaderData.after), read, !preferences.refresh);
  const { total, next, now } = live.body;
  const { causes, left, fresh } = mergeCauses(loaderData.dead.causes, live.body.causes);
  const { revalidate } = useRevalidator();
  return (
    <>
      <PageHeader title="Dead jobs" lead={n > 0 ? leadOf(n, stats ? ownJobs(LIST, stats.body.kinds) : 0) : undefined}>
        {stats && (
          <RefreshControl at={stats.at} on={preferences.refresh} failed={shown.failed} onRefresh={shown.refetch} />
        )}
        <LinkButton to={lettersAddress()} size="sm">
          Dead letters
        </LinkButton>
        {matching !== null && n > 0 && (
          <BulkAll action="requeue" filter={LIST} n={matching} parts={parts} reason={reason} bulk={bulk}>
            Requeue all {count(matching)}
          </BulkAll>
        )}
      </PageHeader>
      {causes.length > 0 && (
        <Card
          flush
          title="By cause"
          aside={
            <>
              {fresh > 0 && (
                <Button
                  size="xs"
                  variant="ghost"
                  onClick={() => void revalidate()}
                  className="inline-flex! text-kumo-link!"
                >
                  {plural(fresh, "new cause")}
                </Button>
              )}{" "}
              {plural(total.n, total.orMore ? "or more cause" : "cause")}
            </>
          }
        >
          <Matrix
            causes={causes}
            left={left}
            now={now}
            action={({ cause, n }) =>
              killsOperations(cause) ? (
                <span className="text-sm text-kumo-subtle">Requeue each by itself</span>
              ) : (
                <BulkAll action="requeue" filter={{ ...LIST, cause }} n={n} reason={reason} bulk={bulk} size="row">
                  {`Requeue all ${count(n)}`}
                  <span className="sr-only">{` of the cause ${cause}`}</span>
                </BulkAll>
              )
            }
          />
          {(next || loaderData.after) && (
            <p className="flex gap-4 border-t border-kumo-hairline px-4 py-2 text-sm">
              {loaderData.after && <TextLink to={deadAddress()}>Those with most jobs</TextLink>}
              {next && <TextLink to={deadAddress(next)}>Causes with fewer jobs</TextLink>}
            </p>
          )}
        </Card>
      )}
      {bulk.dialog}
      {following && <Following key={following} id={following} />}
      <LiveJobList
        label="Newest dead jobs"
        title="Newest"
        list={LIST}
        columns={["kind", "tries", "when"]}
        read={{ page: loaderData.page, at: loaderData.readAt }}
        action={(job) => (
          <JobAction
            verb="requeue"
            size="row"
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

/** Where the number of the button is another one than that of the list, it is said why. */
const leadOf = (n: number, own: number): string => {
  const lead = `${plural(n, "job")} used up all tries, or failed in a way that no retry can help.`;
  return own > 0 ? `${lead} Requeued as a whole, ${ownText(own)}.` : lead;
};

const NothingDead = () => (
  <div className="px-4 py-10 sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">Nothing is dead</h2>
    <p className="text-kumo-subtle">Jobs come here when they have used up all tries, or when no retry can help.</p>
  </div>
);
