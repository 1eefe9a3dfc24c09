import { describe, expect, test } from "vitest";
import { BULK_ACTION_NAMES, bulkFilterOf, confirmFor, doneText, filterText, fits, reasonsOf } from "./bulk";
import { bulkNoticeOf, readBulkNotice } from "./bulk_notices";
import { noticeCookie, noticeOf, readNotice } from "./notices";
import { VIEW_NAMES } from "./states";

test("each action fits the views whose jobs it can change, and no other", () => {
  const fitting = Object.fromEntries(
    BULK_ACTION_NAMES.map((action) => [action, VIEW_NAMES.filter((view) => fits(action, view))]),
  );
  expect(fitting).toEqual({
    requeue: ["dead", "cancelled"],
    cancel: ["scheduled", "pending", "retrying", "processing"],
    delete: ["done", "dead", "cancelled"],
  });
});

describe("a list can be meant as a whole", () => {
  test("where it is a view, of one kind or all, or a cause", () => {
    expect(bulkFilterOf({ view: "dead", cursor: "x" })).toEqual({ filter: { view: "dead" } });
    expect(bulkFilterOf({ view: "done", kind: "a" })).toEqual({ filter: { view: "done", kind: "a" } });
    expect(bulkFilterOf({ view: "dead", cause: "c" })).toEqual({ filter: { view: "dead", cause: "c" } });
    expect(bulkFilterOf({ view: "dead", sort: "finished", order: "oldest", columns: "kind" })).toEqual({
      filter: { view: "dead" },
    });
  });
  test("where it is anything else, it says why not", () => {
    for (const list of [
      {},
      { kind: "a" },
      { view: "dead", kind: "a", cause: "c" },
      { view: "pending", sort: "finished" },
      { view: "dead", q: "text" },
    ] as const) {
      expect(bulkFilterOf(list)).toEqual({ why: expect.any(String) });
    }
  });
});

test("the more it touches the more is asked, and for what cannot be taken back always", () => {
  expect([1, 2, 50, 51, 400_000].map((n) => confirmFor("requeue", n))).toEqual([
    "none",
    "plain",
    "plain",
    "counted",
    "counted",
  ]);
  expect([1, 51].map((n) => confirmFor("delete", n))).toEqual(["typed", "typed"]);
});

test("what is meant is told in words", () => {
  expect(filterText({ view: "dead" })).toBe("dead jobs");
  expect(filterText({ view: "retrying", kind: "demo" })).toBe("retrying jobs of the kind demo");
  expect(filterText({ view: "dead", cause: "demo: it broke" })).toBe("dead jobs of the cause “demo: it broke”");
});

test("what was done is told by its numbers and reasons, most frequent first", () => {
  const skipped = reasonsOf([{ reason: "is done now" }, { reason: "is pending now" }, { reason: "is pending now" }]);
  expect(doneText("requeue", 1_095, skipped)).toBe("1,095 requeued, 3 skipped: is pending now (2), is done now (1)");
  expect(doneText("delete", 0, [{ reason: "is pending now", n: 2 }])).toBe("0 deleted, 2 skipped: is pending now");
  expect(doneText("cancel", 2, [])).toBe("2 cancelled");
});

describe("a notice of a bulk action", () => {
  const done = {
    code: "bulk-done",
    jobId: null,
    action: "requeue",
    changed: 2,
    skipped: [{ reason: "is pending now", n: 1 }],
  } as const;
  const started = {
    code: "bulk-started",
    jobId: null,
    action: "delete",
    expected: 1_204,
    operation: "019a-1",
  } as const;

  test("goes through the cookie as it is", () => {
    for (const notice of [done, started, { code: "kind-paused", jobId: null }] as const) {
      const cookie = noticeCookie(notice).split(";")[0]?.slice("notice=".length) as string;
      expect(readNotice(cookie)).toEqual(notice);
    }
    expect(noticeOf(started)).toEqual({
      tone: "info",
      text: "Deleting 1,204 jobs. It runs by itself: no need to press again.",
      jobId: null,
      operation: "019a-1",
    });
    expect(bulkNoticeOf({ ...done, changed: 0 }).tone).toBe("warning");
  });

  test("that nobody here has written is not shown", () => {
    for (const wrong of [
      { ...done, skipped: [{ reason: "call +1 555 0100", n: 1 }] },
      { ...done, changed: "many" },
      { ...done, action: "explode" },
      { ...done, skipped: undefined },
      { ...started, operation: "//evil.example" },
    ]) {
      expect(readBulkNotice(wrong)).toBeNull();
    }
  });
});
