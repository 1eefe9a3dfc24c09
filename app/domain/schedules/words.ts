import { count, plural } from "../format";
import type { SlotRow } from "./feeds";
import { FATES, type Fate } from "./schedule";

export const scheduleAddress = (id: string): string => `/schedules/${encodeURIComponent(id)}`;
export const schedulesAddress = (cursor?: string): string =>
  cursor ? `/schedules?${new URLSearchParams({ cursor })}` : "/schedules";

/** `28 on time, 3 skipped`: how many of these slots had which fate. Stretches count as all the slots they stand for. */
export function fatesText(slots: SlotRow[]): string {
  const sums = new Map<Fate, { n: number; more: boolean }>();
  for (const { fate, n } of slots) {
    const sum = sums.get(fate) ?? { n: 0, more: false };
    sums.set(fate, { n: sum.n + (n ?? 0), more: sum.more || n === null });
  }
  const parts = (Object.keys(FATES) as Fate[]).flatMap((fate) => {
    const sum = sums.get(fate);
    return sum ? `${count(sum.n)}${sum.more ? "+" : ""} ${FATES[fate].label.toLowerCase()}` : [];
  });
  return parts.join(", ");
}

/** What one row of the history stands for: a slot, or a stretch of them. */
export function slotsText({ throughAt, n }: SlotRow): string | null {
  if (throughAt === null) return null;
  return n === null ? "more slots than are told one by one" : plural(n, "slot");
}
