import { data } from "react-router";
import { appContext } from "~/cloudflare";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Time } from "~/components/time/time";
import { Banner } from "~/components/ui/banner";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { ScrollText } from "~/components/ui/scroll_text";
import { TextLink } from "~/components/ui/text_link";
import { ChecksTable } from "~/components/watches/checks_table";
import { WatchActions } from "~/components/watches/watch_actions";
import { WatchProperties } from "~/components/watches/watch_properties";
import { plural } from "~/domain/format";
import { parseInstant } from "~/domain/time";
import { checksAddress, watchAddress } from "~/domain/watches/words";
import { useFeed } from "~/queries/use_feed";
import { watchFeed } from "~/queries/watches";
import { readWatch } from "~/store/reads/watches";
import type { Route } from "./+types/watch";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.watch.name} · Redrive` : "No such watch · Redrive" },
];

/** A cursor that no page gave out shows the newest checks. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const before = new URL(request.url).searchParams.get("before") ?? "";
  const from = parseInstant(before) ?? undefined;
  const watch = await reading(app, "watch", () => readWatch(app.engine.store, params.id, { before: from }));
  if (!watch) throw data({ reason: "no-such-watch" }, { status: 404 });
  return { watch, before: from === undefined ? undefined : before, readAt: Date.now() };
}

export default function Watch({ loaderData, params }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const read = { body: loaderData.watch, at: loaderData.readAt };
  const live = useFeed(watchFeed(params.id, loaderData.before), read, !preferences.refresh);
  const watch = live.body;
  return (
    <>
      <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <nav aria-label="Breadcrumb" className="text-sm">
          <TextLink to="/watches">Watches</TextLink>
        </nav>
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </div>
      <PageHeader title={watch.name} lead={watch.text + (watch.cron === null ? "" : ` · ${watch.timeZone}`)}>
        <WatchActions watch={watch} />
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} gone="This watch was deleted" />
      {watch.paused && (
        <Banner
          tone={watch.paused.by === null ? "danger" : "warning"}
          title={watch.paused.by === null ? "Stopped: it looks no more" : "Paused: no slot is checked"}
        >
          {watch.paused.by === null ? watch.lastError : `By ${watch.paused.by}`}, <Time at={watch.paused.at} />.
        </Banner>
      )}
      {watch.failures > 0 && (
        <Banner tone="danger" title={`The last ${plural(watch.failures, "check")} failed`}>
          {watch.lastError}. It is checked again at its next slot.
        </Banner>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card title="What it shows">
            {watch.value === null ? (
              <p className="text-kumo-subtle">Not looked at yet.</p>
            ) : (
              <ScrollText label="What it shows" wrap className="max-h-60">
                {watch.value}
              </ScrollText>
            )}
          </Card>
          <Card flush title="Checks">
            {watch.checks.length > 0 ? (
              <ChecksTable checks={watch.checks} />
            ) : (
              <p className="px-4 py-6 text-kumo-subtle">No slot was checked yet.</p>
            )}
          </Card>
          {(loaderData.before || watch.next) && (
            <nav aria-label="Pages" className="flex items-center justify-between gap-2">
              {loaderData.before ? (
                <LinkButton size="sm" to={watchAddress(watch.id)} rel="prev">
                  Newest
                </LinkButton>
              ) : (
                <span />
              )}
              {watch.next && (
                <LinkButton size="sm" to={checksAddress(watch.id, watch.next)} rel="next">
                  Older
                </LinkButton>
              )}
            </nav>
          )}
        </div>
        <WatchProperties watch={watch} />
      </div>
    </>
  );
}
