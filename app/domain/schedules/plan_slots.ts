import { CATCH_UP_MAX, type Fate, type MissedPolicy, type OverlapPolicy } from "./schedule";
import { lastSlot, nextSlot, type Timing } from "./slots";

/** A slot that a sweep finds later than this was missed: one tick that comes late, or not at all, misses nothing. */
export const LATE_MS = 90_000;

export type Standing = {
  timing: Timing;
  dueAt: number;
  missed: MissedPolicy;
  missedMax: number;
  overlap: OverlapPolicy;
};

/** One slot, or a stretch of skipped ones: from `at` up to `through`, `n` of them, or not counted. */
export type PlannedSlot = { at: number; fate: Fate; through: number | null; n: number | null };
type SlotPlan = { slots: PlannedSlot[]; next: number | null };

/**
 * What becomes of the slots that are due now. The next slot follows from the last due one, never from now, so the
 * cadence keeps its anchor however late the sweep comes.
 */
export function planSlots(standing: Standing, now: number): SlotPlan {
  const { timing, dueAt } = standing;
  const due = dueSlots(timing, dueAt, now);
  const single = due.slice(-CATCH_UP_MAX);
  const runs = new Set(slotsToRun(standing, single, now));
  // One job at a time: of several that are due at once, the first runs and is not finished when the next ones come.
  const [first] = runs;
  const slots = single.map((at): PlannedSlot => {
    if (!runs.has(at)) return { at, fate: "skipped", through: null, n: 1 };
    if (standing.overlap === "skip" && at !== first) return { at, fate: "overlapped", through: null, n: 1 };
    return { at, fate: now - at > LATE_MS ? "late" : "fired", through: null, n: 1 };
  });
  if (due.length > single.length) slots.unshift(stretch(timing, dueAt, single[0] as number));
  return { slots, next: nextSlot(timing, Math.max(single.at(-1) ?? now, dueAt)) };
}

/** Due slots in order, the newest `CATCH_UP_MAX` and one more if there are that many. */
function dueSlots(timing: Timing, dueAt: number, now: number): number[] {
  const found: number[] = [];
  let at = lastSlot(timing, now);
  while (at !== null && at >= dueAt && found.length <= CATCH_UP_MAX) {
    found.unshift(at);
    at = lastSlot(timing, at - 1);
  }
  return found;
}

function slotsToRun({ missed, missedMax }: Standing, due: number[], now: number): number[] {
  const recent = due.filter((at) => now - at <= LATE_MS);
  const late = due.filter((at) => now - at > LATE_MS);
  if (missed === "all") return [...late.slice(-missedMax), ...recent];
  return missed === "once" && recent.length === 0 ? late.slice(-1) : recent;
}

/** All that was due before the slots that are looked at one by one. */
function stretch(timing: Timing, from: number, before: number): PlannedSlot {
  const through = lastSlot(timing, before - 1) ?? from;
  const n = "everyMinutes" in timing ? (through - from) / (timing.everyMinutes * 60_000) + 1 : null;
  return { at: from, fate: "skipped", through, n };
}
