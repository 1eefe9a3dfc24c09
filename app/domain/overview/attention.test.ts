import { expect, test } from "vitest";
import type { OperationRow } from "../bulk/feeds";
import { VIEW_NAMES, type View } from "../states";
import { attentionOf } from "./attention";
import { backlogStanding, type LaneSample, type Overview } from "./overview";

const AT = "2026-12-01T10:00:00.000Z";
const ago = (minutes: number) => new Date(Date.parse(AT) - minutes * 60_000).toISOString();
const well = {
  lanes: [],
  oldest: null,
  failing: [],
  stopped: [],
  paused: [],
  broken: [],
  silent: [],
  watches: [],
  limits: [],
  full: [],
} as unknown as Overview;
const stats = { kinds: [], held: [] };
const NONE = Object.fromEntries(VIEW_NAMES.map((view) => [view, 0])) as Record<View, number>;
const texts = (change: Partial<Overview>) =>
  attentionOf({ ...well, ...change }, stats).map(({ tone, text }) => [
    tone,
    text.map((part) => (typeof part === "string" ? part : "<time>")).join(""),
  ]);

test("where all is well nothing is told", () => expect(texts({})).toEqual([]));

test("a limit of the day that is reached is told first, and until when", () => {
  expect(texts({ limits: ["database"], paused: [{ kind: "a", since: AT, by: null, reason: null }] })[0]).toEqual([
    "danger",
    "The free plan's daily limit of D1 is reached: nothing is stored before 00:00 UTC, then all goes on by itself.",
  ]);
});

test("a kind fails when enough attempts do, and enough of all: a few failures are what retries are for", () => {
  const of = (failed: number, ended: number) => texts({ failing: [{ kind: "a", failed, ended }] });
  expect(of(4, 4)).toEqual([]);
  expect(of(5, 21)).toEqual([]);
  expect(of(5, 20)).toEqual([["warning", "a fails: 5 of 20 attempts in the last 15 minutes, 25 %."]]);
  expect(of(15, 20)).toEqual([["danger", "a fails: 15 of 20 attempts in the last 15 minutes, 75 %."]]);
});

test("an operation that has stopped is told before what waits, and leads to it", () => {
  const stopped: OperationRow[] = [
    {
      id: "019a",
      action: "requeue",
      view: "dead",
      kind: "demo",
      cause: null,
      q: null,
      state: "stopped",
      expected: 900,
      changed: 40,
      skipped: 0,
      pace: null,
      actor: "ana",
      reason: null,
      cutoff: AT,
      createdAt: AT,
      endedAt: AT,
      became: { scheduled: 0, pending: 0, retrying: 0, processing: 0, done: 0, dead: 0, cancelled: 0 },
      why: "its job was cancelled",
    },
  ];
  const [first] = attentionOf(
    { ...well, stopped, paused: [{ kind: "a", since: AT, by: null, reason: null }] },
    { kinds: [], held: [] },
  );
  expect(first).toMatchObject({
    tone: "danger",
    text: ["Requeue dead jobs of the kind demo has stopped at 40 of 900: its job was cancelled."],
    to: "/operations/019a",
  });
});

test("each sort of trouble is one sentence with a place to look, the worst first", () => {
  const found = attentionOf(
    {
      ...well,
      paused: [{ kind: "a", since: AT, by: "ana", reason: "SMTP is down" }],
      full: [{ submitter: "ana", limit: 5 }],
      watches: [{ id: "w", name: "Prices", failures: 3, error: "answered 404" }],
      broken: [{ id: "s", name: "Nightly", error: "no such zone", since: AT }],
      silent: [{ id: "t", name: "Hourly", dueAt: AT }],
    },
    {
      kinds: [
        { kind: "a", counts: { ...NONE, pending: 2, retrying: 1 } },
        { kind: "old", counts: { ...NONE, scheduled: 1 } },
      ],
      held: [
        { kind: "a", by: "paused", since: AT, who: "ana", reason: null },
        { kind: "old", by: "unknown-kind", since: null, who: null, reason: null },
      ],
    },
  );
  expect(found.map(({ tone, to }) => [tone, to])).toEqual([
    ["danger", "/schedules/s"],
    ["danger", "/schedules/t"],
    ["warning", "/watches/w"],
    ["warning", "/settings"],
    ["warning", "/jobs?view=pending&kind=a"],
    ["warning", "/jobs?kind=old"],
  ]);
  expect(found.at(-1)?.text).toEqual(["This release does not know the kind old: 1 job of it held until one does."]);
  expect(found.at(-2)?.text).toEqual(["a is paused by ana since ", { at: AT }, ": SMTP is down · 3 jobs held"]);
});

test("a backlog grows when there is much of it, and half as much again as ten minutes before", () => {
  const sample = (minutes: number, messages: number | null, oldest = 0): LaneSample => ({
    at: ago(minutes),
    messages,
    oldestAt: ago(minutes + oldest),
  });
  expect(backlogStanding([])).toBe("well");
  expect(backlogStanding([sample(0, null)])).toBe("well");
  expect(backlogStanding([sample(0, 150), sample(10, 100)])).toBe("growing");
  expect(backlogStanding([sample(0, 149), sample(10, 100)])).toBe("well");
  expect(backlogStanding([sample(0, 99), sample(10, 1)])).toBe("well");
  // What nobody saw ten minutes ago cannot have grown since.
  expect(backlogStanding([sample(0, 150), sample(9, 1)])).toBe("well");
  expect(backlogStanding([sample(0, 150), sample(10, null), sample(12, 10)])).toBe("growing");
  expect(backlogStanding([sample(0, 3, 5)])).toBe("old");
  expect(backlogStanding([sample(0, 3, 4)])).toBe("well");
  expect(backlogStanding([sample(0, 0, 9)])).toBe("well");
});
