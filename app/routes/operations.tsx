import { appContext } from "~/cloudflare";
import { OperationsTable } from "~/components/operations/operations_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { operationsAddress } from "~/domain/addresses";
import { readCursor } from "~/domain/query/cursor";
import { operationsFeed } from "~/queries/operations";
import { useFeed } from "~/queries/use_feed";
import { listOperations } from "~/store/reads/operations";
import type { Route } from "./+types/operations";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Operations · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const asked = new URL(request.url).searchParams.get("cursor");
  const cursor = asked && readCursor(asked) ? asked : undefined;
  const page = await reading(app, "operations", () => listOperations(app.engine.store, cursor));
  return { page, cursor, readAt: Date.now() };
}

export default function Operations({ loaderData: { page, cursor, readAt } }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(operationsFeed(cursor), { body: page, at: readAt }, !preferences.refresh);
  const { operations, next } = live.body;
  return (
    <>
      <PageHeader title="Operations" lead="Requeues, cancels and deletions of everything that matched.">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <Card flush>{operations.length > 0 ? <OperationsTable operations={operations} /> : <None />}</Card>
      {(cursor || next) && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-2">
          {cursor ? (
            <LinkButton size="sm" to={operationsAddress()}>
              Newest
            </LinkButton>
          ) : (
            <span />
          )}
          {next && (
            <LinkButton size="sm" to={operationsAddress(next)} rel="next">
              Older
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}

const None = () => (
  <div className="px-4 py-10 sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">No bulk operation yet</h2>
    <p className="text-kumo-subtle">
      One starts where all jobs of a list are selected, or a cause of dead jobs is requeued as a whole.
    </p>
  </div>
);
