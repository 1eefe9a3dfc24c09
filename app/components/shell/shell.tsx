import { ListIcon } from "@phosphor-icons/react/dist/ssr/List";
import type { ReactNode } from "react";
import { useLocation, useNavigation } from "react-router";
import { runningText } from "~/domain/bulk/words";
import type { Environment } from "~/domain/shell/environment";
import type { Theme } from "~/domain/shell/preferences";
import { OpenPalette, OpenSheet } from "../keys/openers";
import { useRights } from "../rights";
import { Dot } from "../ui/dot";
import { Brand } from "./brand";
import { Nav } from "./nav";
import { ThemeSwitch } from "./theme_switch";
import { ZoneSwitch } from "./zone_switch";

type Who = { name: string; canSignOut: boolean };

/** The frame around every page: a side bar, or on a phone a top bar with a menu that opens without a script. */
export function Shell(frame: {
  local: boolean;
  environment: Environment | null;
  /** Whether there is a local mailbox to look into. */
  mailbox: boolean;
  who: Who | null;
  theme: Theme;
  dead: number | null;
  running: number;
  children: ReactNode;
}) {
  const { local, environment, mailbox, who, theme, dead, running, children } = frame;
  const { pathname } = useLocation();
  const foot = (
    <div className="flex flex-col items-start gap-2.5">
      {who && <Identity who={who} />}
      <div className="flex flex-wrap gap-1.5">
        <ThemeSwitch theme={theme} />
        <ZoneSwitch />
      </div>
      <OpenSheet />
    </div>
  );
  return (
    <div
      className={`min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] ${environment?.tone === "danger" ? "border-t-3 border-kumo-danger" : ""}`}
    >
      <Loading />
      <a
        href="#main"
        className="sr-only rounded-lg bg-kumo-base px-4 py-2 text-kumo-link ring ring-kumo-line focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-40"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 flex items-center justify-between border-b border-kumo-hairline bg-kumo-base px-4 py-2.5 lg:hidden">
        <Brand local={local} environment={environment} />
        <details key={pathname} className="group">
          <summary className="flex h-9 list-none items-center gap-2 rounded-lg px-2.5 text-base ring ring-kumo-line">
            <ListIcon aria-hidden="true" size={18} />
            Menu
            {running > 0 && (
              <>
                <Dot tone="progress" />
                <span className="sr-only">, operations: {runningText(running)} running</span>
              </>
            )}
          </summary>
          <div className="absolute inset-x-0 top-full flex flex-col gap-4 border-b border-kumo-line bg-kumo-base p-4 shadow-lg">
            <OpenPalette />
            <Nav dead={dead} running={running} mailbox={mailbox} label="Main, menu" />
            {foot}
          </div>
        </details>
      </header>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-kumo-hairline bg-kumo-base px-3 py-4 lg:flex">
        <div className="flex flex-col gap-3 px-2.5">
          <Brand local={local} environment={environment} />
          <OpenPalette />
        </div>
        <Nav dead={dead} running={running} mailbox={mailbox} label="Main" />
        <div className="mt-auto px-0.5">{foot}</div>
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 px-4 py-5 outline-none sm:px-6 lg:px-8 lg:py-6">
        <div className="mx-auto flex max-w-6xl flex-col gap-5">{children}</div>
      </main>
    </div>
  );
}

/** The next page is on its way: seen only where it takes long enough to be wondered at. */
const Loading = () =>
  useNavigation().state === "loading" && (
    <div aria-hidden="true" className="loading-bar fixed inset-x-0 top-0 z-40 h-0.5 origin-left bg-kumo-brand" />
  );

/** Who may do less than all is told so here, once: what is left out on pages is not explained. */
function Identity({ who }: { who: Who }) {
  const { role, payloads } = useRights();
  return (
    <div className="flex max-w-full flex-wrap items-center gap-x-2 text-sm text-kumo-subtle">
      <span className="min-w-0 truncate" title={who.name}>
        {who.name}
      </span>
      {(role !== "admin" || !payloads) && (
        <span>
          {role}
          {!payloads && ", payloads hidden"}
        </span>
      )}
      {who.canSignOut && (
        <form method="post" action="/sign-out">
          <button type="submit" className="rounded text-kumo-link hover:underline">
            Sign out
          </button>
        </form>
      )}
    </div>
  );
}
