import { describe, expect, test } from "vitest";
import { healthOf, sweepProblems } from "./health";

const NOW = Date.UTC(2026, 11, 1, 10);
const MINUTE = 60_000;
const UNKNOWN = { messages: undefined, oldestAt: undefined };
const lanes = {
  normal: { messages: 3, oldestAt: NOW - 5000 },
  high: UNKNOWN,
  long: UNKNOWN,
  dead: { messages: 0, oldestAt: undefined },
};

describe("health", () => {
  test("is good while a sweep ended in the last five minutes", () => {
    const vitals = {
      now: NOW,
      lastSweep: { finishedAt: NOW - 5 * MINUTE, error: null },
      oldestJobAt: 0,
      queuesLimited: false,
    };
    expect(healthOf(vitals, lanes, 0)).toEqual({
      ok: true,
      problems: [],
      now: "2026-12-01T10:00:00.000Z",
      database: { ok: true },
      lastSweep: { at: "2026-12-01T09:55:00.000Z", ageMs: 300_000 },
      lanes: {
        normal: { messages: 3, oldestAt: "2026-12-01T09:59:55.000Z" },
        high: { messages: null, oldestAt: null },
        long: { messages: null, oldestAt: null },
        dead: { messages: 0, oldestAt: null },
      },
    });
  });

  test("is red where a limit of the day is reached, and says which and until when", () => {
    const vitals = { now: NOW, lastSweep: { finishedAt: NOW, error: null }, oldestJobAt: 0, queuesLimited: true };
    expect(healthOf(vitals, lanes, 0, ["queues"])).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/Queues.*00:00 UTC/)],
    });
    const { problems } = healthOf(null, lanes, NOW, ["database"]);
    expect(problems).toEqual([expect.stringMatching(/D1.*00:00 UTC/)]);
  });

  test("is red when D1 does not answer, and says when by the machine's own clock", () => {
    expect(healthOf(null, lanes, NOW)).toMatchObject({
      ok: false,
      problems: ["the database does not answer"],
      now: "2026-12-01T10:00:00.000Z",
      database: { ok: false },
      lastSweep: null,
    });
  });
});

describe("the sweep is a problem", () => {
  const problems = (lastSweep: { finishedAt: number; error: string | null } | null, oldestJobAt: number | null) =>
    sweepProblems({ now: NOW, lastSweep, oldestJobAt });

  test("when the last one is older than five minutes, and not a millisecond before", () => {
    expect(problems({ finishedAt: NOW - 5 * MINUTE - 1, error: null }, null)).toEqual([
      "the last sweep ended 5 minutes ago",
    ]);
    expect(problems({ finishedAt: NOW - 5 * MINUTE, error: null }, null)).toEqual([]);
  });

  test("when the last one failed", () => {
    expect(problems({ finishedAt: NOW, error: "no answer" }, null)).toEqual(["the last sweep failed: no answer"]);
  });

  test("when none ever ran though jobs wait for one, but not on a new deployment", () => {
    expect(problems(null, NOW - 10 * MINUTE)).toEqual(["no sweep has run, and jobs have waited for 10 minutes"]);
    expect(problems(null, NOW - MINUTE)).toEqual([]);
    expect(problems(null, null)).toEqual([]);
  });
});
