import { data } from "react-router";
import { appContext } from "~/cloudflare";
import { AbortButton } from "~/components/operations/abort_button";
import { AgainButton } from "~/components/operations/again_button";
import { BecameCard } from "~/components/operations/became_card";
import { OperationBadge } from "~/components/operations/operation_badge";
import { OperationFacts } from "~/components/operations/operation_facts";
import { OperationProgress } from "~/components/operations/operation_progress";
import { OperationTrouble } from "~/components/operations/operation_trouble";
import { SkipsCard } from "~/components/operations/skips_card";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { operationsAddress } from "~/domain/addresses";
import { operationTitle } from "~/domain/bulk/words";
import { operationFeed } from "~/queries/operations";
import { useFeed } from "~/queries/use_feed";
import { readOperationDetail } from "~/store/reads/operations";
import type { Route } from "./+types/operation";
import { useAsking } from "./support/asking";
import { Following, useFollowing } from "./support/following";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? operationTitle(loaderData.operation) : "No such operation"} · Redrive` },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const operation = await reading(app, "operation", () => readOperationDetail(app.engine.store, params.id));
  if (!operation) throw data({ reason: "no-such-operation" }, { status: 404 });
  return { operation, readAt: Date.now() };
}

export default function Operation({ loaderData, params }: Route.ComponentProps) {
  const { preferences, who } = useFrame();
  const read = { body: loaderData.operation, at: loaderData.readAt };
  const live = useFeed(operationFeed(params.id), read, !preferences.refresh);
  const operation = live.body;
  const { following, follow } = useFollowing();
  const bulk = useAsking(follow);
  return (
    <>
      <p className="-mb-2">
        <TextLink to={operationsAddress()}>All operations</TextLink>
      </p>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
            {operationTitle(operation)} <OperationBadge operation={operation} />
          </span>
        }
      >
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <OperationTrouble operation={operation} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card
            title="Progress"
            aside={
              (operation.state === "running" || operation.state === "stopped") && <AbortButton id={operation.id} />
            }
          >
            <OperationProgress operation={operation} />
          </Card>
          <BecameCard operation={operation} who={who.name} bulk={bulk} />
          <SkipsCard operation={operation} />
          {operation.state !== "running" && (
            <Card title="What is left">
              <AgainButton operation={operation} bulk={bulk} />
            </Card>
          )}
        </div>
        <OperationFacts operation={operation} />
      </div>
      {bulk.dialog}
      {following && <Following key={following} id={following} />}
    </>
  );
}
