import { utcText } from "../format";
import { instant } from "../time";

/** A stretch of time, its beginning included and its end not, as everywhere here; null: open at that side. */
export type TimeRange = { from: number | null; to: number | null };

/** As the filter of a list reads it. */
export const rangeText = ({ from, to }: TimeRange): string =>
  `${from === null ? "" : instant(from)}..${to === null ? "" : instant(to)}`;

/** `2026-12-01 10:00 to 11:00 UTC`, `before 2026-12-01 10:00 UTC`. */
export function rangeWords({ from, to }: TimeRange): string {
  const [start, end] = [from, to].map((at) => (at === null ? null : utcText(at).replace(/(:00)? UTC$/, "")));
  if (start === null) return end === null ? "at any time" : `before ${end} UTC`;
  if (end === null) return `from ${start} UTC`;
  const sameDay = start?.slice(0, 10) === end?.slice(0, 10);
  return `${start} to ${sameDay ? end?.slice(11) : end} UTC`;
}
