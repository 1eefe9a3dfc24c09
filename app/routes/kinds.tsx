import { appContext } from "~/cloudflare";
import { KindsList } from "~/components/kinds/kinds_list";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Card } from "~/components/ui/card";
import { kindsFeed } from "~/queries/operations";
import { useFeed } from "~/queries/use_feed";
import { readKinds } from "~/store/reads/kinds";
import type { Route } from "./+types/kinds";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Kinds · Redrive" }];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const known = [...app.engine.kinds.values()];
  return { page: await reading(app, "kinds", () => readKinds(app.engine.store, known)), readAt: Date.now() };
}

export default function Kinds({ loaderData: { page, readAt } }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(kindsFeed, { body: page, at: readAt }, !preferences.refresh);
  return (
    <>
      <PageHeader title="Kinds" lead="What jobs can be. A paused kind starts nothing: its due jobs are held.">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <Card flush>
        <KindsList kinds={live.body.kinds} />
      </Card>
    </>
  );
}
