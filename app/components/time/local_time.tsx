import { useHydrated } from "./now";

/** `2026-12-01 10:00` on this browser's own clock, which only it knows: before its script runs, the place for it. */
export function LocalTime({ at }: { at: string }) {
  if (!useHydrated()) return <span className="invisible">{at.slice(0, 16).replace("T", " ")}</span>;
  return (
    <time dateTime={at} title={at}>
      {localText(Date.parse(at))}
    </time>
  );
}

/** `, Europe/Berlin`: the name of this browser's zone. */
export function LocalZone() {
  if (!useHydrated()) return null;
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return <span title={name}>, {name}</span>;
}

function localText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
