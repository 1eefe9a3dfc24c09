import type { Message } from "../channels";
import { capText } from "../text";
import { instant } from "../time";

export type Shown = { value: string; number: number | null };

const SHOWN_BYTES = 1_000;

/** What is told of a change. `origin`: where links lead; null: nobody has said. */
export function changeMessage(
  watch: { id: string; name: string; url: string; origin: string | null },
  slot: number,
  before: Shown,
  after: Shown,
): Message {
  const was = { ...before, value: capText(before.value, SHOWN_BYTES) };
  const is = { ...after, value: capText(after.value, SHOWN_BYTES) };
  const history = watch.origin === null ? [] : [{ label: "History", url: `${watch.origin}/watches/${watch.id}` }];
  return {
    type: "watch.changed",
    title: `${watch.name} changed`,
    text: [numbersText(before.number, after.number), `Before: ${was.value}`, `Now: ${is.value}`]
      .filter(Boolean)
      .join("\n"),
    links: [{ label: "Page", url: watch.url }, ...history],
    at: instant(slot),
    data: { watch: { id: watch.id, name: watch.name, url: watch.url }, before: was, after: is },
  };
}

/** `1299 → 1199 (−7.7 %)` */
export function numbersText(before: number | null, after: number | null): string {
  if (before === null || after === null || before === after) return "";
  const percent = before === 0 ? "" : ` (${signed(((after - before) / Math.abs(before)) * 100)} %)`;
  return `${before} → ${after}${percent}`;
}

const signed = (n: number): string => `${n < 0 ? "−" : "+"}${Math.abs(n).toFixed(1)}`;
