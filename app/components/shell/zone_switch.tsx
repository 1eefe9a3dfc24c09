import { useLocation } from "react-router";
import { ZONES, type Zone } from "~/domain/shell/preferences";
import { usePreferences } from "../preferences";
import { useSend } from "../send";
import { useHydrated } from "../time/now";
import { browserZone } from "../time/zone";

const NAMES: Record<Zone, string> = { utc: "UTC", local: "Local" };

/** Which clock times are told by. Only a script knows the browser's: its place is kept until that is there. */
export function ZoneSwitch() {
  const { zone } = usePreferences();
  const { sent, onSubmit } = useSend();
  const { pathname, search } = useLocation();
  const shown = (sent?.get("zone") as Zone | undefined) ?? zone;
  const hydrated = useHydrated();
  return (
    <form method="post" action="/preferences" onSubmit={onSubmit} className={hydrated ? "" : "invisible"}>
      <input type="hidden" name="back" value={pathname + search} />
      {hydrated && <input type="hidden" name="timeZone" value={browserZone()} />}
      <fieldset className="flex w-max gap-0.5 rounded-lg bg-kumo-recessed p-0.5 ring ring-kumo-hairline">
        <legend className="sr-only">Times in</legend>
        {ZONES.map((name) => (
          <button
            key={name}
            type="submit"
            name="zone"
            value={name}
            aria-pressed={name === shown}
            title={name === "utc" ? "Times in UTC" : "Times by the clock of this browser"}
            className={`h-8 rounded-md px-2 text-sm lg:h-7 ${
              name === shown
                ? "bg-kumo-base font-medium text-kumo-strong shadow-xs ring ring-kumo-line"
                : "text-kumo-subtle hover:text-kumo-default"
            }`}
          >
            {NAMES[name]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
