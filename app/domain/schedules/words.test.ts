import { expect, test } from "vitest";
import type { SlotRow } from "./feeds";
import { fatesText, schedulesAddress, slotsText } from "./words";

const slot = (fate: SlotRow["fate"], n: number | null = 1, throughAt: string | null = null): SlotRow => ({
  slotAt: "2026-12-01T10:00:00.000Z",
  decidedAt: "2026-12-01T10:00:00.000Z",
  jobId: null,
  error: null,
  ...{ fate, n, throughAt },
});

test("C033: how many slots were skipped is told as a number", () => {
  expect(fatesText([slot("late"), slot("skipped"), slot("skipped"), slot("skipped")])).toBe("1 late, 3 skipped");
  expect(fatesText([slot("fired"), slot("skipped", 41_900), slot("skipped")])).toBe("1 on time, 41,901 skipped");
  expect(fatesText([])).toBe("");
});

test("slots that were not counted are told as at least so many", () => {
  expect(fatesText([slot("skipped"), slot("skipped", null, "x")])).toBe("1+ skipped");
  expect(slotsText(slot("skipped", null, "x"))).toBe("more slots than are told one by one");
  expect(slotsText(slot("skipped", 120, "x"))).toBe("120 slots");
  expect(slotsText(slot("fired"))).toBeNull();
});

test("a list's address carries where it goes on, and nothing else", () => {
  expect([schedulesAddress(), schedulesAddress("abc")]).toEqual(["/schedules", "/schedules?cursor=abc"]);
});
