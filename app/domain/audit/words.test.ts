import { describe, expect, test } from "vitest";
import { ACTION_NAMES, ACTIONS, actionLabel, didTo } from "./actions";
import { changesOf, jobsOf } from "./changes";
import type { ActivityRow } from "./feeds";
import { readActivity } from "./filter";
import { deedOf } from "./words";

const ID = "019ad959-2a80-7000-8000-000000000001";
const OTHER = "019ad959-2a80-7000-8000-00000000000f";
const row = (action: string, more: Partial<ActivityRow> & { was?: object; is?: object } = {}): ActivityRow => {
  const { was, is, ...rest } = more;
  const told = { before: was ? JSON.stringify(was) : null, after: is ? JSON.stringify(is) : null };
  const nothing = { jobId: null, scheduleId: null, object: null, name: null, reason: null };
  return { id: OTHER, at: "2026-12-01T10:00:00.000Z", actor: "ann", action, ...nothing, ...told, ...rest };
};
const said = (one: ActivityRow) => {
  const { before, object, after, to } = deedOf(one);
  return [before + object + after, to];
};

describe("a deed in words", () => {
  test.each([
    [row("requeue", { jobId: ID, name: "Invoice 7" }), "requeued the job Invoice 7", `/jobs/${ID}`],
    [row("person.set"), "said what somebody may do", null],
    [row("token.revoke"), "revoked a token", null],
    [row("requeue", { jobId: ID }), "requeued the job …00000001", null],
    [row("cancel", { jobId: ID, name: "a", is: { state: "cancelled" } }), "cancelled the job a", `/jobs/${ID}`],
    [
      row("cancel", { jobId: ID, name: "a", is: { state: "processing, asked to stop" } }),
      "asked the job a to stop",
      `/jobs/${ID}`,
    ],
    [row("bulk cancel", { is: { jobs: [ID, OTHER] } }), "cancelled 2 jobs", null],
    [row("bulk cancel", { is: { jobs: [ID] } }), "cancelled 1 job", null],
    [
      row("bulk requeue", {
        object: ID,
        is: { operation: ID, jobs: 24_000, view: "dead", kind: "demo", cause: null, q: null },
      }),
      "requeued 24,000 jobs: dead jobs of the kind demo",
      `/operations/${ID}`,
    ],
    [
      row("abort bulk", { object: ID, jobId: OTHER, was: { operation: ID } }),
      "aborted an operation",
      `/operations/${ID}`,
    ],
    [row("pause kind", { object: "demo", is: { kind: "demo" } }), "paused the kind demo", "/kinds#kind-demo"],
    [
      row("schedule.run", { scheduleId: ID, jobId: OTHER, name: "nightly" }),
      "ran the schedule nightly by hand",
      `/schedules/${ID}`,
    ],
    [row("schedule.delete", { scheduleId: ID, was: { name: "nightly" } }), "deleted the schedule nightly", null],
    [row("daily limit", { object: "ben" }), "set the daily limit of ben", "/settings"],
    [row("token.revoke", { object: ID, was: { token: ID, name: "deploys" } }), "revoked the token deploys", null],
    [row("person.set", { object: "ann@example.com" }), "said what ann@example.com may do", null],
    [row("person.set", { object: "" }), "said what whoever is not listed may do", null],
    [row("refused", { is: { method: "POST", path: "/kinds/demo/pause" } }), "was refused POST /kinds/demo/pause", null],
    [row("retention"), "set how long jobs are kept", "/settings"],
    [row("of another release", { jobId: ID }), `of another release ${ID}`, null],
  ])("%#: what, and where it is", (one, text, to) => expect(said(one)).toEqual([text, to]));

  test("each action can be chosen by words of its own, and said of it", () => {
    const labels = ACTION_NAMES.map(actionLabel);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.filter((label) => /[{}]/.test(label))).toEqual([]);
    expect(ACTION_NAMES.filter((name) => ACTIONS[name].did.split("{}").length !== 2)).toEqual([]);
    expect([didTo("schedule.run", "it"), didTo("toString", "it")]).toEqual(["ran it by hand", "toString (it)"]);
  });
});

describe("what changed", () => {
  test("is told where it differs, and what it was done to is not said again", () => {
    const [was, is] = [
      { rule: ID, name: "many", moreThan: 10, channels: ["a", "b"] },
      { rule: ID, name: "many", moreThan: 1_100, channels: ["a"] },
    ];
    expect(changesOf(row("alert-rule.update", { object: ID, was, is }))).toEqual([
      { name: "more than", before: "10", after: "1,100" },
      { name: "channels", before: "a, b", after: "a" },
    ]);
    expect(changesOf(row("alert-rule.update", { object: ID, was, is: was }))).toEqual([]);
  });

  test("a new name is told, that of what is new or gone is said already", () => {
    expect(changesOf(row("schedule.update", { was: { name: "a" }, is: { name: "b" } }))).toEqual([
      { name: "name", before: "a", after: "b" },
    ]);
    expect(changesOf(row("schedule.create", { is: { name: "a", cron: "* * * * *", everyMinutes: null } }))).toEqual([
      { name: "cron", before: null, after: "* * * * *" },
    ]);
  });

  test("what lies deeper is told by its path, a moment as a time, an empty list as none", () => {
    const is = {
      kind: "demo",
      limits: { running: 5, jobs: 2, perMs: 86_400_000 },
      deep: { er: true },
      until: 0,
      more: [],
    };
    expect(changesOf(row("limit kind", { object: "demo", was: { kind: "demo", limits: null }, is }))).toEqual([
      { name: "limits", before: null, after: "5 at once, 2 a day" },
      { name: "deep er", before: null, after: "true" },
      { name: "until", before: null, after: "1970-01-01T00:00:00.000Z" },
      { name: "more", before: null, after: "none" },
    ]);
  });

  test("jobs are named where they were few, and where a schedule made one", () => {
    expect(jobsOf(row("bulk cancel", { is: { jobs: [ID] } }))).toEqual([ID]);
    expect(jobsOf(row("bulk cancel", { is: { jobs: 21 } }))).toEqual([]);
    expect(changesOf(row("bulk cancel", { is: { jobs: 21, view: "dead" } }))).toEqual([]);
    expect(jobsOf(row("schedule.run", { scheduleId: ID, jobId: OTHER }))).toEqual([OTHER]);
    expect(jobsOf(row("requeue", { jobId: OTHER }))).toEqual([]);
  });
});

test("an address is read as far as it is understood, and the rest is told", () => {
  const read = (query: string) => readActivity(new URLSearchParams(query));
  expect(read("actor=ann&action=requeue&object=+x+&at=1h&nothing=1")).toEqual({
    list: { actor: "ann", action: "requeue", object: "x", at: "1h" },
    problems: [],
  });
  const { list, problems } = read("action=eat&at=noon&cursor=zz&actor=");
  expect(list).toEqual({});
  expect(problems.map((text) => text.split(":")[0])).toEqual(["What", "When", "Page"]);
});
