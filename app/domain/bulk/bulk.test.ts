import { describe, expect, test } from "vitest";
import { noticeCookie, noticeOf, readNotice } from "../notices";
import { VIEW_NAMES } from "../states";
import {
  BULK_ACTION_NAMES,
  bulkFilterOf,
  confirmFor,
  doneText,
  filterText,
  fits,
  frozenAt,
  isKept,
  isUnderstood,
  reasonsOf,
} from "./bulk";
import { bulkNoticeOf, readBulkNotice } from "./notices";

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
  test("where it is of one view, whatever else it is filtered by", () => {
    expect(bulkFilterOf({ view: "dead", cursor: "x" })).toEqual({ filter: { view: "dead" } });
    expect(bulkFilterOf({ view: "done", kind: "a" })).toEqual({ filter: { view: "done", kind: "a" } });
    expect(bulkFilterOf({ view: "dead", cause: "c" })).toEqual({ filter: { view: "dead", cause: "c" } });
    expect(bulkFilterOf({ view: "dead", kind: "a", cause: "c", q: "priority:high" })).toEqual({
      filter: { view: "dead", kind: "a", cause: "c", q: "priority:high" },
    });
    expect(bulkFilterOf({ view: "dead", sort: "finished", order: "oldest", columns: "kind" })).toEqual({
      filter: { view: "dead" },
    });
  });
  test("where it is anything else, it says why not", () => {
    for (const list of [{}, { kind: "a" }, { view: "pending", sort: "finished" }, { q: "state:dead" }] as const) {
      expect(bulkFilterOf(list)).toEqual({ why: expect.any(String) });
    }
  });
  test("where part of its filter was left out, it shows more than was asked for, and is not meant as a whole", () => {
    expect(bulkFilterOf({ view: "dead" }, ["finished: takes a time"])).toEqual({
      why: "part of the filter was not understood",
    });
    expect(bulkFilterOf({ view: "dead" }, [])).toEqual({ filter: { view: "dead" } });
  });
});

test("only a view, of one kind or all, and a cause are counted by the numbers that are kept", () => {
  const kept = [{ view: "dead" }, { view: "done", kind: "a" }, { view: "dead", cause: "c" }] as const;
  const looked = [
    { view: "dead", kind: "a", cause: "c" },
    { view: "dead", q: "kind:a,b" },
  ] as const;
  expect([...kept, ...looked].map(isKept)).toEqual([true, true, true, false, false]);
});

test("a filter that is frozen asks the same at any later time", () => {
  const now = Date.parse("2026-12-01T10:00:00.000Z");
  const frozen = (q: string) => frozenAt({ view: "dead", kind: "a", q }, now);
  expect(frozen("finished:1h it broke")).toEqual({
    view: "dead",
    kind: "a",
    q: "finished:>2026-12-01T09:00:00.000Z it broke",
  });
  expect(frozen("created:2h..30m").q).toBe("created:2026-12-01T08:00:00.000Z..2026-12-01T09:30:00.000Z");
  expect(frozen("created:<1h").q).toBe("created:<2026-12-01T09:00:00.000Z");
  // The end of its last day is in a year that no time can be written with.
  const stay = ["created:2026-12-01", "created:9999-12-31", "created:>2026-12-01T09:00:00.000Z"];
  for (const q of ["priority:high -kind:b", 'text:"created:1h"', ...stay]) {
    expect(frozen(q).q).toBe(q);
    expect(isUnderstood(frozen(q))).toBe(true);
    expect(frozenAt(frozen(q), now + 3_600_000)).toEqual(frozen(q));
  }
  expect(frozenAt({ view: "dead" }, now)).toEqual({ view: "dead" });
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
  expect(filterText({ view: "dead", q: "-group:a,b finished:>2026-12-01T09:00:00.250Z created:1h 50 percent" })).toBe(
    "dead jobs, not group a or b, finished after 2026-12-01 09:00:00 UTC, created 1h, label or cause holds “50 percent”",
  );
  expect(filterText({ view: "dead", q: "created:2026-12-01 finished:<2026-12-03" })).toBe(
    "dead jobs, created from 2026-12-01 00:00:00 UTC to 2026-12-02 00:00:00 UTC, finished before 2026-12-03 00:00:00 UTC",
  );
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
