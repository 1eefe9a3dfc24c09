import { useState } from "react";
import { data } from "react-router";
import { appContext, readerOf } from "~/cloudflare";
import { BulkAll } from "~/components/bulk/bulk_all";
import { Bars } from "~/components/charts/bars";
import { Plot } from "~/components/charts/plot";
import { CauseFacts } from "~/components/dead/cause_facts";
import { Example } from "~/components/dead/example";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { jobsAddress } from "~/domain/addresses";
import { killsOperations } from "~/domain/bulk/bulk";
import { count, plural } from "~/domain/format";
import { adviceFor } from "~/domain/job/advice";
import { bucketText, roundUp } from "~/domain/overview/chart_text";
import { causeFeed } from "~/queries/dead";
import { useFeed } from "~/queries/use_feed";
import { useShown } from "~/queries/use_shown";
import { readCause } from "~/store/reads/dead";
import type { Route } from "./+types/cause";
import { useAsking } from "./support/asking";
import { Following, useFollowing } from "./support/following";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `${params.cause ?? "Cause"} · Redrive` }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const cause = await reading(app, "cause", () => readCause(app.engine.store, params.cause, readerOf(app)));
  if (!cause) throw data({ reason: "no-such-cause" }, { status: 404 });
  return { cause, readAt: Date.now() };
}

export default function Cause({ loaderData, params }: Route.ComponentProps) {
  const { preferences, who } = useFrame();
  const { following, follow } = useFollowing();
  const bulk = useAsking(follow);
  const live = useFeed(
    causeFeed(params.cause),
    { body: loaderData.cause, at: loaderData.readAt },
    !preferences.refresh,
  );
  const shown = useShown();
  const cause = live.body;
  const advice = adviceFor(cause.cause);
  const filter = { view: "dead" as const, cause: cause.cause };
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-3 text-sm">
        <TextLink to="/dead">Dead jobs</TextLink>
      </nav>
      <PageHeader title={<span className="wrap-anywhere">{cause.cause}</span>} lead={leadOf(cause.n)}>
        <RefreshControl at={live.at} on={preferences.refresh} failed={shown.failed} onRefresh={shown.refetch} />
        {cause.n > 0 && !killsOperations(cause.cause) && (
          <BulkAll action="requeue" filter={filter} n={cause.n} reason={`Requeued by ${who.name}`} bulk={bulk}>
            Requeue all {count(cause.n)}
          </BulkAll>
        )}
        {cause.n > 0 && (
          <LinkButton size="sm" to={jobsAddress(filter)}>
            Show all {count(cause.n)}
          </LinkButton>
        )}
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      {advice && <p>{advice}</p>}
      {bulk.dialog}
      {following && <Following key={following} id={following} />}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Trend hours={cause.hours} now={cause.now} />
          {cause.example && <Example example={cause.example} />}
        </div>
        <CauseFacts cause={cause} />
      </div>
    </>
  );
}

const leadOf = (n: number): string =>
  n === 0
    ? "Nothing is dead of it now."
    : `${plural(n, "job")} died of it and ${n === 1 ? "waits" : "wait"} for a person.`;

function Trend({ hours, now }: { hours: Route.ComponentProps["loaderData"]["cause"]["hours"]; now: string }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const buckets = { unit: "hour" as const, edges: hours.edges };
  const sum = hours.n.reduce((total, n) => total + n, 0);
  const most = roundUp(Math.max(...hours.n));
  return (
    <Card title="Dead by the hour">
      <Plot
        title="Last 48 hours"
        summary={`${count(sum)} dead, ${count(Math.max(...hours.n))} at most in an hour`}
        aside={
          pointed === null
            ? `${count(sum)} dead`
            : `${bucketText(buckets, pointed, "UTC")} UTC: ${count(hours.n[pointed] ?? 0)} dead`
        }
        buckets={buckets}
        zone="UTC"
        top={count(most)}
        partial={(hours.edges.at(-1) as number) > Date.parse(now)}
        deploys={[]}
        pointed={pointed}
        onPoint={setPointed}
        empty={sum === 0 ? "Nobody died of it in the last 48 hours." : null}
        height="h-28"
      >
        <Bars series={[{ tone: "danger", values: hours.n }]} max={most} />
      </Plot>
    </Card>
  );
}
