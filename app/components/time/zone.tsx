import { clockText, utcText, zonedClock, zonedText } from "~/domain/format";
import type { Zone } from "~/domain/shell/preferences";
import { usePreferences } from "../preferences";
import { useHydrated } from "./now";

/** The zone that times are told in. The server knows no browser's clock: until the script runs it is UTC. */
export function useZone(): Zone {
  const { zone } = usePreferences();
  return useHydrated() ? zone : "utc";
}

/** `2026-12-01 01:10:09 UTC`, or by the browser's clock with its distance from UTC. */
export function useExact(): (ms: number) => string {
  return useZone() === "utc" ? utcText : (ms) => zonedText(ms, offsetAt(ms));
}

/** `01:10:09 UTC` */
export const ClockTime = ({ ms }: { ms: number }) =>
  useZone() === "utc" ? clockText(ms) : zonedClock(ms, offsetAt(ms));

/** The name of its zone, as in `Europe/Berlin`. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** On the day itself: a zone's summer time has another distance. */
const offsetAt = (ms: number): number => -new Date(ms).getTimezoneOffset();
