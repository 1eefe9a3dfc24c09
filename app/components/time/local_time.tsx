import { useHydrated } from "./now";

/** `2026-12-01 10:00` on this browser's own clock, which only it knows: nothing before its script runs. */
export function LocalTime({ at }: { at: string }) {
  if (!useHydrated()) return null;
  return <time dateTime={at}>{localText(Date.parse(at))}</time>;
}

/** The name of this browser's zone. */
export function LocalZone() {
  if (!useHydrated()) return null;
  return <>{new Intl.DateTimeFormat().resolvedOptions().timeZone}</>;
}

function localText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
