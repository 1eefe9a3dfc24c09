import { appContext } from "~/cloudflare";
import { AlertsTable } from "~/components/alerts/alerts_table";
import { RulesTable } from "~/components/alerts/rules_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { alertsAddress } from "~/domain/alerts/words";
import { idTime } from "~/domain/ids";
import { alertsFeed } from "~/queries/alerts";
import { useFeed } from "~/queries/use_feed";
import { readAlerts } from "~/store/reads/alerts";
import type { Route } from "./+types/alerts";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Alerts · Redrive" }];

/** A cursor that no page gave out shows the newest alerts. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const asked = new URL(request.url).searchParams.get("before") ?? "";
  const before = idTime(asked) === null ? undefined : asked;
  const page = await reading(app, "alerts", () => readAlerts(app.engine.store, { before }));
  const forms = Object.fromEntries(page.rules.map(({ id }) => [id, app.engine.newId()]));
  return { page, before, forms, readAt: Date.now() };
}

export default function Alerts({ loaderData: { page, before, forms, readAt } }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(alertsFeed(before), { body: page, at: readAt }, !preferences.refresh);
  const { rules, alerts, next } = live.body;
  return (
    <>
      <PageHeader
        title="Alerts"
        lead="Told once when something becomes true, again while it stays so, and when it is over."
      >
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
        <LinkButton to="/alerts/new" variant="primary" size="sm">
          New rule
        </LinkButton>
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <Card flush title="Rules">
        {rules.length > 0 ? (
          <RulesTable rules={rules} forms={forms} />
        ) : (
          <p className="px-4 py-6 text-kumo-subtle">There is no rule: nobody is told of anything.</p>
        )}
      </Card>
      <Card flush title="History">
        {alerts.length > 0 ? (
          <AlertsTable alerts={alerts} />
        ) : (
          <p className="px-4 py-6 text-kumo-subtle">{before ? "Nothing older." : "No rule has raised anything."}</p>
        )}
      </Card>
      {(before || next) && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-2">
          {before ? (
            <LinkButton size="sm" to={alertsAddress()} rel="prev">
              Newest
            </LinkButton>
          ) : (
            <span />
          )}
          {next && (
            <LinkButton size="sm" to={alertsAddress(next)} rel="next">
              Older
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}
