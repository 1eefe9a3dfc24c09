import { ArrowClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowClockwise";
import { useLocation } from "react-router";
import { EVERY } from "~/domain/shell/preferences";
import { usePreferences } from "../preferences";
import { useSend } from "../send";
import { useHydrated } from "../time/now";
import { ClockTime } from "../time/zone";
import { Button } from "../ui/button";
import { SELECT } from "../ui/field";
import { Connection } from "./connection";

/** When this was read, and whether and how often it goes on being read. Nothing polls before the script is there: until then the place of the switches is kept. */
export function RefreshControl(props: {
  at: number;
  on: boolean;
  final?: boolean;
  failed: boolean;
  onRefresh: () => void;
}) {
  const { at, on, final, failed, onRefresh } = props;
  const { everySeconds } = usePreferences();
  const hydrated = useHydrated();
  const { sent, onSubmit } = useSend();
  const { pathname, search } = useLocation();
  const every = String(sent?.get("every") ?? (on ? everySeconds : "off"));
  return (
    <div className={`flex flex-wrap items-center gap-x-3 gap-y-2 ${hydrated ? "" : "*:not-first:invisible"}`}>
      <span className="text-sm text-kumo-subtle tabular-nums">
        <span className="sr-only sm:not-sr-only">As of </span>
        <ClockTime ms={at} />
      </span>
      <Connection on={every !== "off"} final={final} failed={failed} />
      {!final && (
        <form method="post" action="/preferences" onSubmit={onSubmit}>
          <input type="hidden" name="back" value={pathname + search} />
          <select
            name="every"
            aria-label="Auto refresh"
            title="How often this page asks for what is new. While nothing changes it asks less often."
            value={every}
            onChange={(event) => event.currentTarget.form?.requestSubmit()}
            className={SELECT}
          >
            {EVERY.map((seconds) => (
              <option key={seconds} value={seconds}>
                every {seconds} s
              </option>
            ))}
            <option value="off">off</option>
          </select>
        </form>
      )}
      <Button
        size="sm"
        aria-label="Refresh now"
        title="Refresh now"
        onClick={onRefresh}
        icon={<ArrowClockwiseIcon aria-hidden="true" />}
      />
    </div>
  );
}
