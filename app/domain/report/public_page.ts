import { DAY_MS } from "./report";

/** After midnight a finished day's report is given this long before it is called late. No write marks that moment. */
export const GRACE_MS = 600_000;

/** Whether a day's report is still within its grace at `nowMs`. */
export const inGrace = (nowMs: number): boolean => nowMs % DAY_MS < GRACE_MS;

/** The next moment when the page changes by the clock alone. */
export const nextChange = (nowMs: number): number => nowMs + lifetimeMs(nowMs, DAY_MS);

/** How long a copy made at `nowMs` may serve: at most `longestMs`, and never across a moment when the page changes by itself. */
export function lifetimeMs(nowMs: number, longestMs: number): number {
  const ofDay = nowMs % DAY_MS;
  const change = ofDay < GRACE_MS ? GRACE_MS : DAY_MS;
  return Math.min(longestMs, change - ofDay);
}

/** What a copy is kept under: whatever differs in any of these is another page. No purge is ever needed. */
export const cacheKey = (parts: {
  environment: string;
  origin: string;
  build: string;
  revision: number;
  /** The moment after which the page changes by the clock alone. */
  until: number;
  path: string;
}): string =>
  `https://pages.redrive.invalid/${[parts.environment, parts.origin, parts.build, String(parts.revision), String(parts.until), parts.path].map(encodeURIComponent).join("/")}`;
