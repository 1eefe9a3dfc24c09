/** How times, durations, numbers and texts read on screen. Pure: the time now is an argument. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `2026-12-01 01:10:09 UTC` */
export const utcText = (ms: number): string => `${dayText(ms)} ${clockText(ms)}`;

/** `01:10:09 UTC` */
export const clockText = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)} UTC`;

/** `2026-12-01 06:40:09 +05:30`: the same by a clock that is so many minutes ahead of UTC. */
export const zonedText = (ms: number, offsetMinutes: number): string =>
  `${dayText(ms + offsetMinutes * MINUTE)} ${zonedClock(ms, offsetMinutes)}`;

/** `06:40:09 +05:30` */
export function zonedClock(ms: number, offsetMinutes: number): string {
  const away = Math.abs(offsetMinutes);
  const zone = [Math.floor(away / 60), away % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${new Date(ms + offsetMinutes * MINUTE).toISOString().slice(11, 19)} ${offsetMinutes < 0 ? "-" : "+"}${zone}`;
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `12 s ago`, `in 5 min`; the day itself for what is more than a month away. */
export function relative(ms: number, nowMs: number): string {
  const away = Math.abs(ms - nowMs);
  if (away < SECOND) return "now";
  if (away >= 31 * DAY) return dayText(ms);
  return ms < nowMs ? `${roughly(away)} ago` : `in ${roughly(away)}`;
}

/** Of what is planned: `in 5 min`, and once its time has come `due 12 s ago`, or another word for `due`. */
export const planned = (ms: number, nowMs: number, past: string): string =>
  ms > nowMs ? relative(ms, nowMs) : `${past} ${relative(ms, nowMs)}`;

function roughly(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** `340 ms`, `3.2 s`, `1 min 21 s`, `2 h 5 min`, `3 d 4 h`. Never negative: two clocks may differ. */
export function duration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < SECOND) return `${Math.round(span)} ms`;
  if (span < MINUTE) return `${(Math.floor(span / 100) / 10).toFixed(1)} s`;
  if (span < HOUR) return two(span, MINUTE, "min", SECOND, "s");
  if (span < DAY) return two(span, HOUR, "h", MINUTE, "min");
  return two(span, DAY, "d", HOUR, "h");
}

/** As `duration`, in whole seconds: for a clock that ticks once a second. */
export const elapsed = (ms: number): string =>
  ms < MINUTE ? `${Math.max(0, Math.floor(ms / SECOND))} s` : duration(ms);

function two(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ""}`;
}

/** `12,345`: grouped by hand, so that server and browser agree whatever their locales are. */
export const count = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** The last part of a UUIDv7: its start is the time, and the same for all jobs of one moment. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

/** `1.5 KB`, `12.0 MB`, `2 GB`: bytes in thousands, as limits are written. */
export function bytesText(n: number): string {
  if (n < 1_000) return `${n} bytes`;
  const [unit, name] = n < 1e6 ? [1e3, "KB"] : n < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${n % unit === 0 ? n / unit : (n / unit).toFixed(1)} ${name}`;
}

/** When within the hours: `this hour`, `3 h ago`, `2 d ago`. For what is only counted by the hour. */
export function hourText(hourMs: number, nowMs: number): string {
  const hours = Math.max(0, Math.floor(nowMs / HOUR) - Math.floor(hourMs / HOUR));
  if (hours === 0) return "this hour";
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
