import { ArrowClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowClockwise";
import { useLocation } from "react-router";
import { clockText } from "~/domain/format";
import { useSend } from "../send";
import { useHydrated } from "../time/now";
import { Button } from "../ui/button";
import { Dot } from "../ui/dot";

/** When this was read, and whether it goes on being read. Nothing polls without a script: then there is nothing to switch. */
export function RefreshControl(props: {
  at: number;
  on: boolean;
  final?: boolean;
  failed?: boolean;
  onRefresh: () => void;
}) {
  const { at, on, final, failed, onRefresh } = props;
  const hydrated = useHydrated();
  const { sent, onSubmit } = useSend();
  const { pathname, search } = useLocation();
  const wished = sent?.get("refresh");
  const active = wished ? wished === "on" : on;
  const asOf = (
    <span className="text-sm text-kumo-subtle tabular-nums">
      <span className="sr-only sm:not-sr-only">As of </span>
      {clockText(at)}
    </span>
  );
  if (!hydrated) return asOf;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {asOf}
      {final ? (
        <span className="text-sm text-kumo-subtle">· final</span>
      ) : (
        <form method="post" action="/preferences" onSubmit={onSubmit}>
          <input type="hidden" name="back" value={pathname + search} />
          <Button
            type="submit"
            size="sm"
            name="refresh"
            value={active ? "off" : "on"}
            title={active ? "Stop refreshing" : "Refresh by itself again"}
            icon={<Dot tone={!active ? "neutral" : failed ? "warning" : "success"} />}
          >
            Auto refresh {active ? "on" : "off"}
          </Button>
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
