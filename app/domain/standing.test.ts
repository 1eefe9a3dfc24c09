import { describe, expect, test } from "vitest";
import type { JobDetail, SweepRow } from "./feeds";
import { type Sentence, standingOf, sweepStanding } from "./standing";

const now = Date.UTC(2026, 11, 1, 10);
const at = (ms: number) => new Date(now + ms).toISOString();
const job = (over: Partial<JobDetail>) =>
  ({
    state: "pending",
    kind: "demo",
    lane: "normal",
    attempt: 0,
    runAt: at(-1_000),
    held: null,
    sentAt: null,
    ...over,
  }) as JobDetail;
const read = (sentence: Sentence | null) =>
  sentence
    ?.map((part) => (typeof part === "string" ? part : "at" in part ? `<${part.at}>` : `<since ${part.since}>`))
    .join("") ?? null;

describe("why a job is not running", () => {
  test("not due yet", () => {
    expect(read(standingOf(job({ runAt: at(8_000), attempt: 1 }), now))).toBe(`Attempt 2 is due <${at(8_000)}>.`);
  });

  test("sent, and not picked up", () => {
    expect(read(standingOf(job({ sentAt: at(-500) }), now))).toBe(
      `Attempt 1 was sent to the lane normal <${at(-500)}> and waits to be picked up.`,
    );
  });

  test("due, and not sent", () => {
    expect(read(standingOf(job({}), now))).toBe(
      `Attempt 1 is due since <${at(-1_000)}> and not sent yet: the next sweep sends it.`,
    );
  });

  test("held by a pause, or since its kind is unknown", () => {
    expect(read(standingOf(job({ held: { by: "paused", reason: "SMTP down", since: at(-5) } }), now))).toBe(
      `Held: the kind demo is paused since <${at(-5)}>: SMTP down`,
    );
    expect(read(standingOf(job({ held: { by: "unknown-kind", reason: null, since: null } }), now))).toBe(
      "Held: this release does not know the kind demo. It waits for one that does.",
    );
  });

  test("expiring: told of whatever it waits for, and no more once it runs", () => {
    const expiring = job({ sentAt: at(-500), expiresAt: at(60_000) });
    expect(read(standingOf(expiring, now))).toMatch(
      /picked up\. It expires <2026-12-01T10:01:00\.000Z>: not started by then, it is dead\.$/,
    );
    expect(read(standingOf({ ...expiring, state: "processing", startedAt: at(0) }, now))).not.toMatch("expires");
  });

  test("running, and asked to stop", () => {
    const running = job({ state: "processing", attempt: 2, startedAt: at(-3_000), cancelRequestedAt: null });
    expect(read(standingOf(running, now))).toBe(`Attempt 2 is running for <since ${at(-3_000)}>.`);
    expect(read(standingOf({ ...running, cancelRequestedAt: at(-1_000) }, now))).toBe(
      `Attempt 2 is running for <since ${at(-3_000)}>. A cancel was requested <${at(-1_000)}>: it stops at the next heartbeat.`,
    );
  });

  test("a final job waits for nothing", () => {
    expect(standingOf(job({ state: "done" }), now)).toBeNull();
  });
});

describe("the sweeper", () => {
  const swept = (agoMs: number, error: string | null = null) =>
    ({
      startedAt: at(-agoMs - 20),
      finishedAt: at(-agoMs),
      lost: 0,
      expired: 0,
      fired: 0,
      removed: 0,
      sent: 0,
      resent: 0,
      more: false,
      error,
    }) satisfies SweepRow;

  test("is well up to 150 s, late up to 5 min, then stopped", () => {
    expect(sweepStanding(swept(150_000), now)).toBe("well");
    expect(sweepStanding(swept(150_001), now)).toBe("late");
    expect(sweepStanding(swept(300_000), now)).toBe("late");
    expect(sweepStanding(swept(300_001), now)).toBe("stopped");
  });

  test("is told apart where it failed and where it was never seen", () => {
    expect(sweepStanding(swept(1_000, "boom"), now)).toBe("failed");
    expect(sweepStanding(null, now)).toBe("never");
  });
});
