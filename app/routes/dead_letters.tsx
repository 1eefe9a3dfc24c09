import { appContext } from "~/cloudflare";
import { LettersTable } from "~/components/dead/letters_table";
import { Replaying } from "~/components/dead/replaying";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { lettersAddress, readLetterCursor } from "~/domain/dead/letters";
import { lettersFeed } from "~/queries/letters";
import { useFeed } from "~/queries/use_feed";
import { listLetters } from "~/store/reads/letters";
import type { Route } from "./+types/dead_letters";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Dead letters · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const text = new URL(request.url).searchParams.get("before");
  const cursor = text === null ? null : readLetterCursor(text);
  const page = await reading(app, "dead letters", () => listLetters(app.engine.store, cursor, app.identity.payloads));
  return { page, before: cursor && text, readAt: Date.parse(page.now) };
}

export default function DeadLetters({ loaderData: { page, before, readAt } }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(lettersFeed(before), { body: page, at: readAt }, !preferences.refresh);
  const { letters, replayUntil, next } = live.body;
  return (
    <>
      <PageHeader
        title="Dead letters"
        lead="Messages whose consumer went down on every delivery, and those that no release understood."
      >
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
        <LinkButton to="/dead" size="sm">
          Dead jobs
        </LinkButton>
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      <Card flush title="What becomes of them">
        <Replaying until={replayUntil} />
      </Card>
      <Card flush title="Letters">
        {letters.length > 0 ? <LettersTable letters={letters} /> : <Empty older={before !== null} />}
      </Card>
      {(before !== null || next !== null) && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-2">
          {before !== null ? (
            <LinkButton size="sm" to={lettersAddress()}>
              Newest
            </LinkButton>
          ) : (
            <span />
          )}
          {next !== null && (
            <LinkButton size="sm" to={lettersAddress(next)} rel="next">
              Older
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}

const Empty = ({ older }: { older: boolean }) => (
  <div className="px-4 py-10 sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">{older ? "No older letters" : "No dead letters"}</h2>
    <p className="text-kumo-subtle">A message comes here when its consumer goes down on each of 101 deliveries.</p>
  </div>
);
