import { elapsed, hourText, relative, utcText } from "~/domain/format";
import { useNow } from "./now";

/** `12 s ago`, with the exact UTC time behind it. */
export function Time({ at, className }: { at: string; className?: string }) {
  const ms = Date.parse(at);
  const text = useNow((now) => relative(ms, now));
  return (
    <time dateTime={at} title={at} className={`whitespace-nowrap ${className ?? ""}`}>
      {text}
    </time>
  );
}

/** `2026-12-01 01:10:09 UTC`, for the place where the exact time is what counts. */
export const UtcTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={at} className="whitespace-nowrap">
    {utcText(Date.parse(at))}
  </time>
);

/** How long it has been going on: a clock that runs. */
export function Elapsed({ since }: { since: string }) {
  const ms = Date.parse(since);
  const text = useNow((now) => elapsed(now - ms));
  return (
    <time dateTime={since} title={`since ${since}`} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  );
}

/** The hour that begins at `at`: some count is kept by the hour. */
export function HourTime({ at }: { at: string }) {
  const ms = Date.parse(at);
  const text = useNow((now) => hourText(ms, now));
  return (
    <time dateTime={at} title={`in the hour from ${at}`} className="whitespace-nowrap">
      {text}
    </time>
  );
}
