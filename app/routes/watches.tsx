import { appContext } from "~/cloudflare";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { WatchesTable } from "~/components/watches/watches_table";
import { useFeed } from "~/queries/use_feed";
import { watchesFeed } from "~/queries/watches";
import { listWatches } from "~/store/reads/watches";
import type { Route } from "./+types/watches";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Watches · Redrive" }];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const list = await reading(app, "watches", () => listWatches(app.engine.store));
  return { list, readAt: Date.now() };
}

export default function Watches({ loaderData: { list, readAt } }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(watchesFeed, { body: list, at: readAt }, !preferences.refresh);
  const { watches } = live.body;
  return (
    <>
      <PageHeader title="Watches" lead="Pages that are looked at on a schedule; a change is told.">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
        <LinkButton to="/watches/new" variant="primary" size="sm">
          New watch
        </LinkButton>
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <Card flush>{watches.length > 0 ? <WatchesTable watches={watches} /> : <None />}</Card>
    </>
  );
}

const None = () => (
  <div className="px-4 py-10 sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">No page is watched</h2>
    <p className="text-kumo-subtle">
      A watch looks at a page by a schedule, compares what a selector finds there, and tells you when it changed: a
      price, a version, a stock.
    </p>
  </div>
);
