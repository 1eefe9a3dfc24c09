import { appContext } from "~/cloudflare";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EndpointsTable } from "~/components/webhooks/endpoints_table";
import { endpointsFeed } from "~/queries/endpoints";
import { useFeed } from "~/queries/use_feed";
import { listEndpoints } from "~/store/reads/webhooks";
import type { Route } from "./+types/endpoints";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Endpoints · Redrive" }];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const list = await reading(app, "endpoints", () => listEndpoints(app.engine.store, app.identity));
  return { list, readAt: Date.now() };
}

export default function Endpoints({ loaderData: { list, readAt } }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(endpointsFeed, { body: list, at: readAt }, !preferences.refresh);
  const { endpoints } = live.body;
  return (
    <>
      <PageHeader title="Endpoints" lead="Receivers of webhooks that are kept here: an event names them by id.">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
        <LinkButton to="/endpoints/new" variant="primary" size="sm">
          New endpoint
        </LinkButton>
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <Card flush>{endpoints.length > 0 ? <EndpointsTable endpoints={endpoints} /> : <None />}</Card>
    </>
  );
}

const None = () => (
  <div className="px-4 py-10 sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">No endpoint is saved</h2>
    <p className="text-kumo-subtle">
      Events can also carry their receivers' URLs. Saved ones have a secret and headers of their own.
    </p>
  </div>
);
