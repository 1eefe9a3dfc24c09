import { ArrowRightIcon } from "@phosphor-icons/react/dist/ssr/ArrowRight";
import { useRevalidator } from "react-router";
import { appContext } from "~/cloudflare";
import { MailsTable } from "~/components/mail/mails_table";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Banner } from "~/components/ui/banner";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { count } from "~/domain/format";
import { mailboxAddress, mailNumber } from "~/domain/mail/mail";
import { mailFeed } from "~/queries/mail";
import { useFeed } from "~/queries/use_feed";
import { listMail } from "~/store/reads/mailbox";
import type { Route } from "./+types/mailbox";
import { useFrame } from "./support/frame";
import { mailGoesOutBy } from "./support/mailbox.server";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Mail · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const before = mailNumber(new URL(request.url).searchParams.get("before"));
  const page = await reading(app, "mail", () => listMail(app.engine.store, before, app.identity));
  return { page, before, by: mailGoesOutBy(app), readAt: Date.parse(page.now) };
}

export default function Mailbox({ loaderData }: Route.ComponentProps) {
  const { page, before, by, readAt } = loaderData;
  const { preferences } = useFrame();
  const { revalidate } = useRevalidator();
  const live = useFeed(mailFeed(before), { body: page, at: readAt }, !preferences.refresh);
  // Rows keep their places while somebody reads: new mails wait behind a button, unless there is nothing to move.
  const first = page.mails[0]?.id ?? 0;
  const fresh = before ? 0 : live.body.mails.filter(({ id }) => id > first).length;
  const mails = page.mails.length > 0 ? page.mails : live.body.mails;
  return (
    <>
      <PageHeader title="Mail" lead="Mails that were sent here, to be looked at: nobody got them.">
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
        <LinkButton to="/examples/signup" size="sm">
          Sign-up example
        </LinkButton>
      </PageHeader>
      {by && (
        <Banner tone="info" title={`Mail goes out through ${by}`}>
          What is shown here was sent before that was configured.
        </Banner>
      )}
      <FeedBanner failed={live.failed} at={live.at} />
      {fresh > 0 && page.mails.length > 0 && (
        <div className="flex justify-center">
          <Button size="sm" onClick={revalidate} className="rounded-full text-kumo-link">
            {count(fresh)}
            {fresh === live.body.mails.length ? "+" : ""} new
          </Button>
        </div>
      )}
      <Card flush>{mails.length > 0 ? <MailsTable mails={mails} /> : <Empty older={before !== null} />}</Card>
      {(before !== null || page.next !== null) && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-2">
          {before !== null ? (
            <LinkButton size="sm" to={mailboxAddress()}>
              Newest
            </LinkButton>
          ) : (
            <span />
          )}
          {page.next !== null && (
            <LinkButton size="sm" to={mailboxAddress(page.next)} rel="next">
              Older
              <ArrowRightIcon aria-hidden="true" />
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}

const Empty = ({ older }: { older: boolean }) => (
  <div className="flex flex-col items-start gap-3 px-4 py-10 sm:items-center sm:text-center">
    <h2 className="text-lg font-semibold text-kumo-strong">{older ? "No older mails" : "No mail yet"}</h2>
    <p className="max-w-xl text-kumo-subtle">
      Without a mail provider, what send_email sends comes here. The last 1,000 mails are kept.
    </p>
    <LinkButton to="/submit?kind=send_email">Send a mail</LinkButton>
  </div>
);
