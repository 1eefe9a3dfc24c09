import { elapsed, hourText, planned, relative } from "~/domain/format";
import { useNow } from "./now";
import { useExact, useZone } from "./zone";

/** `12 s ago`, with the exact time behind it. `past`: of what is planned, the word for it once its time has come. */
export function Time({ at, past, className }: { at: string; past?: string; className?: string }) {
  const ms = Date.parse(at);
  const text = useNow((now) => (past ? planned(ms, now, past) : relative(ms, now)));
  const title = useTitle(at);
  return (
    <time dateTime={at} title={title} className={className}>
      {text}
    </time>
  );
}

/** `2026-12-01 01:10:09 UTC`, for the place where the exact time is what counts. */
export const ExactTime = ({ at }: { at: string }) => {
  const exact = useExact();
  return (
    <time dateTime={at} title={at}>
      {exact(Date.parse(at))}
    </time>
  );
};

/** The very time in UTC; before it the same by the browser's clock, where that is what is read. */
function useTitle(at: string): string {
  const exact = useExact();
  return useZone() === "utc" ? at : `${exact(Date.parse(at))} (${at})`;
}

/** How long it has been going on: a clock that runs. */
export function Elapsed({ since }: { since: string }) {
  const ms = Date.parse(since);
  const text = useNow((now) => elapsed(now - ms));
  const title = useTitle(since);
  return (
    <time dateTime={since} title={`since ${title}`} className="tabular-nums">
      {text}
    </time>
  );
}

/** The hour that begins at `at`: some count is kept by the hour. */
export function HourTime({ at }: { at: string }) {
  const ms = Date.parse(at);
  const text = useNow((now) => hourText(ms, now));
  return (
    <time dateTime={at} title={`in the hour from ${at}`}>
      {text}
    </time>
  );
}
