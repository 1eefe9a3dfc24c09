import { useRevalidator } from "react-router";
import { appContext } from "~/cloudflare";
import { ActivityFilters } from "~/components/activity/activity_filters";
import { ActivityTable } from "~/components/activity/activity_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { News } from "~/components/ui/news";
import { TextLink } from "~/components/ui/text_link";
import type { ActivityPage } from "~/domain/audit/feeds";
import { type ActivityList, activityAddress, readActivity } from "~/domain/audit/filter";
import { count } from "~/domain/format";
import { activityFeed } from "~/queries/activity";
import { useFeed } from "~/queries/use_feed";
import { listActivity, readActors } from "~/store/reads/activity";
import type { Route } from "./+types/activity";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Activity · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { store } = app.engine;
  const { list, problems } = readActivity(new URL(request.url).searchParams);
  const [page, actors] = await reading(app, "activity", () =>
    Promise.all([listActivity(store, list, app.identity), readActors(store)]),
  );
  return { list, problems, page, actors, readAt: Date.parse(page.now) };
}

export default function Activity({ loaderData }: Route.ComponentProps) {
  const { list, problems, page, actors, readAt } = loaderData;
  const { preferences } = useFrame();
  const { revalidate } = useRevalidator();
  const live = useFeed(activityFeed(list), { body: page, at: readAt }, !preferences.refresh);
  // Rows keep their places while somebody reads: new ones wait behind a button, unless there is nothing to move.
  const fresh = list.cursor ? 0 : freshOf(page, live.body);
  const { deeds, next, scanned } = page.deeds.length > 0 ? page : live.body;
  return (
    <>
      <PageHeader title="Activity" lead="What people and programs did here, and why. Kept for 400 days.">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </PageHeader>
      <ActivityFilters list={list} problems={problems} actors={actors} />
      <FeedBanner failed={live.failed} at={live.at} />
      <div className="relative">
        {fresh > 0 && page.deeds.length > 0 && (
          <News n={fresh} more={fresh === live.body.deeds.length} onShow={revalidate} />
        )}
        <Card flush>{deeds.length > 0 ? <ActivityTable deeds={deeds} /> : <None list={list} />}</Card>
      </div>
      {scanned !== null && next !== null && (
        <p role="note" className="text-base text-kumo-subtle">
          No index serves this filter: {count(scanned)} deeds were looked at.{" "}
          <TextLink to={activityAddress({ ...list, cursor: next })}>Go on looking at older ones</TextLink>
        </p>
      )}
      {(list.cursor || next) && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-2">
          {list.cursor ? (
            <LinkButton size="sm" to={activityAddress({ ...list, cursor: undefined })}>
              Newest
            </LinkButton>
          ) : (
            <span />
          )}
          {next && (
            <LinkButton size="sm" to={activityAddress({ ...list, cursor: next })} rel="next">
              Older
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}

/** How many came since, wherever they belong: a refusal is told as of the minute in which it was. */
function freshOf(page: ActivityPage, now: ActivityPage): number {
  const known = new Set(page.deeds.map(({ id }) => id));
  const last = page.next === null ? "" : (page.deeds.at(-1)?.id ?? "");
  return now.deeds.filter(({ id }) => id > last && !known.has(id)).length;
}

function None({ list: { cursor, ...asked } }: { list: ActivityList }) {
  const filtered = Object.keys(asked).length > 0;
  return (
    <div className="px-4 py-10 sm:text-center">
      <h2 className="text-lg font-semibold text-kumo-strong">
        {filtered ? "Nobody did that" : cursor ? "Nothing older" : "Nobody has done anything yet"}
      </h2>
      <p className="text-kumo-subtle">
        {filtered
          ? "Nothing matches this filter. What people did is kept for 400 days."
          : "Requeues, pauses, changed schedules and settings: whatever a person does here is told, with the reason."}
      </p>
    </div>
  );
}
