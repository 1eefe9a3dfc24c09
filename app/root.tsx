import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from "react-router";
import { isUnreachable } from "~/store/errors";
import type { Route } from "./+types/root";
import stylesheet from "./app.css?url";
import { appContext } from "./cloudflare";
import { Keys } from "./components/keys/keys";
import { PreferencesContext } from "./components/preferences";
import { RightsContext } from "./components/rights";
import { Arrival } from "./components/shell/arrival";
import { Shell } from "./components/shell/shell";
import { Toasts } from "./components/shell/toasts";
import { NowProvider } from "./components/time/now";
import { NOTICE_COOKIE, noNoticeCookie, readNotice } from "./domain/notices";
import { environmentOf } from "./domain/shell/environment";
import { type Preferences, preferencesOf, readCookie } from "./domain/shell/preferences";
import { useClockOffset } from "./queries/clock";
import { statsFeed } from "./queries/stats";
import { PaceContext, useFeed } from "./queries/use_feed";
import { Failure } from "./routes/support/failure";
import { leadsToMailbox } from "./routes/support/mailbox.server";
import { StatsContext } from "./routes/support/stats";
import { readStats } from "./store/reads/stats";

export const links: Route.LinksFunction = () => [
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: Route.MetaFunction = () => [{ title: "Redrive" }];

/** Read for every page: the numbers, and how this browser wants to see them. Without D1 the frame still stands. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { engine, identity, local } = app;
  const cookies = request.headers.get("cookie");
  const notice = readNotice(readCookie(cookies, NOTICE_COOKIE));
  const stats = await readStats(engine.store, engine.kinds).catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
    engine.events({ event: "database.unreachable", step: "page frame", error: String(error) });
    return null;
  });
  const frame = {
    stats,
    readAt: stats ? Date.parse(stats.now) : Date.now(),
    preferences: preferencesOf(cookies),
    who: { name: identity.name, canSignOut: identity.how === "session" },
    rights: { role: identity.role, payloads: identity.payloads },
    local,
    environment: environmentOf(app.environment),
    mailbox: leadsToMailbox(app),
    notice,
  };
  return data(frame, notice ? { headers: { "Set-Cookie": noNoticeCookie } } : undefined);
}

/** What a page that failed says of trying again must reach the browser. */
export const headers: Route.HeadersFunction = ({ errorHeaders }) => errorHeaders ?? new Headers();

export function Layout({ children }: { children: ReactNode }) {
  const theme = useRouteLoaderData<typeof loader>("root")?.preferences.theme ?? "system";
  return (
    <html lang="en" data-mode={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <Meta />
        {/* Styles come from this origin: a nonce would only differ between server and browser, which hides it. */}
        <Links nonce="" />
        {/* Nothing is painted before all has come: what is right-aligned would move with each piece that is read. */}
        <link rel="expect" href="#whole" blocking="render" />
      </head>
      <body className="bg-kumo-canvas text-base text-kumo-default antialiased">
        {children}
        <ScrollRestoration getKey={({ state, key }) => state?.scrollKey ?? key} />
        <Scripts />
        <template id="whole" />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <Frame loaderData={loaderData}>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <Failure error={error} />;
  return loaderData ? <Frame loaderData={loaderData as Loaded}>{page}</Frame> : <main className="px-4">{page}</main>;
}

type Loaded = Route.ComponentProps["loaderData"];

function Frame({ loaderData, children }: { loaderData: Loaded; children: ReactNode }) {
  const [client] = useState(() => new QueryClient());
  const [readAt] = useState(loaderData.readAt);
  const offsetMs = useClockOffset(loaderData.readAt);
  return (
    <QueryClientProvider client={client}>
      <NowProvider readAt={readAt} offsetMs={offsetMs}>
        <Preferring preferences={loaderData.preferences}>
          <RightsContext value={loaderData.rights}>
            <Toasts first={loaderData.notice}>
              {loaderData.stats ? (
                <Counting loaderData={loaderData} stats={loaderData.stats}>
                  {children}
                </Counting>
              ) : (
                <Framed loaderData={loaderData} stats={null}>
                  {children}
                </Framed>
              )}
            </Toasts>
          </RightsContext>
        </Preferring>
      </NowProvider>
    </QueryClientProvider>
  );
}

const Preferring = ({ preferences, children }: { preferences: Preferences; children: ReactNode }) => (
  <PreferencesContext value={preferences}>
    <PaceContext value={preferences.everySeconds * 1_000}>{children}</PaceContext>
  </PreferencesContext>
);

type CountingProps = { loaderData: Loaded; stats: NonNullable<Loaded["stats"]>; children: ReactNode };

function Counting({ loaderData, stats, children }: CountingProps) {
  const live = useFeed(statsFeed, { body: stats, at: loaderData.readAt }, !loaderData.preferences.refresh);
  return (
    <StatsContext value={live}>
      <Framed loaderData={loaderData} stats={live.body}>
        {children}
      </Framed>
    </StatsContext>
  );
}

type FramedProps = { loaderData: Loaded; stats: Loaded["stats"]; children: ReactNode };

const Framed = ({ loaderData, stats, children }: FramedProps) => (
  <Keys kinds={stats?.kinds.map(({ kind }) => kind) ?? []} mailbox={loaderData.mailbox}>
    <Arrival />
    <Shell
      local={loaderData.local}
      environment={loaderData.environment}
      mailbox={loaderData.mailbox}
      who={loaderData.who}
      theme={loaderData.preferences.theme}
      dead={stats?.counts.dead ?? null}
      running={stats?.running.length ?? 0}
    >
      {children}
    </Shell>
  </Keys>
);
