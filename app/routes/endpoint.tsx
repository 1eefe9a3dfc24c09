import { data } from "react-router";
import { appContext } from "~/cloudflare";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Time } from "~/components/time/time";
import { Banner } from "~/components/ui/banner";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { DeliveriesTable } from "~/components/webhooks/deliveries_table";
import { EndpointActions } from "~/components/webhooks/endpoint_actions";
import { EndpointProperties } from "~/components/webhooks/endpoint_properties";
import { jobAddress } from "~/domain/addresses";
import { shortId } from "~/domain/format";
import { endpointFeed } from "~/queries/endpoints";
import { useFeed } from "~/queries/use_feed";
import { readEndpoint } from "~/store/reads/webhooks";
import type { Route } from "./+types/endpoint";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.endpoint.name} · Redrive` : "No such endpoint · Redrive" },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const endpoint = await reading(app, "endpoint", () => readEndpoint(app.engine.store, params.id, app.identity));
  if (!endpoint) throw data({ reason: "no-such-endpoint" }, { status: 404 });
  return { endpoint, form: app.engine.newId(), readAt: Date.now() };
}

export default function Endpoint({ loaderData, params }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const read = { body: loaderData.endpoint, at: loaderData.readAt };
  const live = useFeed(endpointFeed(params.id), read, !preferences.refresh);
  const endpoint = live.body;
  return (
    <>
      <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <nav aria-label="Breadcrumb" className="text-sm">
          <TextLink to="/endpoints">Endpoints</TextLink>
        </nav>
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </div>
      <PageHeader title={endpoint.name} lead={endpoint.target}>
        <EndpointActions endpoint={endpoint} form={loaderData.form} />
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} gone="This endpoint was removed" />
      {endpoint.disabledAt && (
        <Banner tone="warning" title="Disabled: it gets nothing">
          Reason: {endpoint.disabledReason}, <Time at={endpoint.disabledAt} />. What it missed can be resent below, once
          it is enabled.
        </Banner>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_19rem]">
        <Card flush title="Recent deliveries">
          {endpoint.deliveries.length > 0 ? (
            <DeliveriesTable
              label="Recent deliveries"
              rows={endpoint.deliveries}
              head="Event"
              name={({ fanoutId, event }) => (
                <TextLink to={jobAddress(fanoutId)}>{event ?? `Event ${shortId(fanoutId)}`}</TextLink>
              )}
              again
            />
          ) : (
            <p className="px-4 py-6 text-kumo-subtle">It was sent nothing yet.</p>
          )}
        </Card>
        <EndpointProperties endpoint={endpoint} />
      </div>
    </>
  );
}
