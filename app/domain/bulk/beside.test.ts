import { expect, test } from "vitest";
import type { Stats } from "../feeds";
import { besideOf, ownJobs, ownText } from "./beside";

const NONE = { scheduled: 0, pending: 0, retrying: 0, processing: 0, done: 0, dead: 0, cancelled: 0 };
const kinds = [
  { kind: "bulk", counts: { ...NONE, dead: 1 } },
  { kind: "demo", counts: { ...NONE, dead: 200_000, pending: 290, retrying: 10 } },
  { kind: "mail", counts: { ...NONE, dead: 5 } },
];
const NOBODY = { since: null, who: null, reason: null };
const held: Stats["held"] = [
  { ...NOBODY, kind: "demo", by: "paused", who: "ana" },
  { ...NOBODY, kind: "old", by: "unknown-kind" },
  { ...NOBODY, kind: "mail", by: "limit" },
];
const texts = (asked: Parameters<typeof besideOf>[0]) => besideOf(asked, { kinds, held }).map(({ text }) => text);
const DEMO =
  "demo is paused by ana: 300 jobs of it held already, and what is requeued of it waits until it is resumed.";
const OLD = "This release does not know old: what is requeued of it waits until one does.";

test("jobs of operations are among those of a view, and meant by nobody who means it whole", () => {
  expect(ownJobs({ view: "dead" }, kinds)).toBe(1);
  expect(ownText(1)).toBe("1 operation's own job is left alone");
  expect(ownText(1_200)).toBe("1,200 operations' own jobs are left alone");
  for (const filter of [{ kind: "demo" }, { kind: "bulk" }, { cause: "demo: x" }, { q: "priority:high" }])
    expect([filter, ownJobs({ view: "dead", ...filter }, kinds)]).toEqual([filter, 0]);
  expect(ownJobs({ view: "done" }, kinds)).toBe(0);
});

test("before a requeue it is said what of it will wait: kinds that are paused or not known, as far as they are meant", () => {
  const parts = [{ label: "demo" }, { label: "mail" }];
  expect(texts({ action: "requeue", filter: { view: "dead" }, parts })).toEqual([
    "1 operation's own job is left alone.",
    DEMO,
  ]);
  expect(texts({ action: "requeue", filter: { view: "dead", cause: "demo: it broke" }, parts: [] })).toEqual([DEMO]);
  expect(texts({ action: "requeue", filter: { view: "dead", kind: "mail" }, parts: [] })).toEqual([]);
  expect(texts({ action: "requeue", filter: null, parts: [{ label: "old" }] })).toEqual([OLD]);
  // Nobody knows of which kinds these are.
  expect(texts({ action: "requeue", filter: { view: "dead", q: "priority:high" }, parts: [] })).toEqual([DEMO, OLD]);
});

test("nothing waits that is deleted or cancelled", () => {
  expect(texts({ action: "delete", filter: { view: "dead", kind: "demo" }, parts: [] })).toEqual([]);
  expect(texts({ action: "cancel", filter: null, parts: [{ label: "demo" }] })).toEqual([]);
});
