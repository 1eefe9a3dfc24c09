import { describe, expect, test } from "vitest";
import type { AttemptRow, Held, JobDetail, SweepRow } from "../feeds";
import { type Sentence, standingOf, sweepStanding } from "./standing";

const now = Date.UTC(2026, 11, 1, 10);
const holds = { reason: null, since: null, limit: null, per: null, next: null };
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
    attempts: [],
    audit: [],
    generation: 1,
    view: "pending",
    ...over,
  }) as JobDetail;
const tried = (over: Partial<AttemptRow>) =>
  ({ number: 1, generation: 1, outcome: "failed", finishedAt: at(0), ...over }) as AttemptRow;
const read = (sentence: Sentence | null) =>
  sentence
    ?.map((part) =>
      typeof part === "string"
        ? part
        : "at" in part
          ? `<${part.at}>`
          : "to" in part
            ? `[${part.text} ${part.to}]`
            : `<since ${part.since}>`,
    )
    .join("") ?? null;

describe("why a job is not running", () => {
  test("not due yet", () => {
    const due = { runAt: at(8_000), attempt: 1 };
    expect(read(standingOf(job(due), now))).toBe(`Attempt 2 is due <${at(8_000)}>.`);
    expect(read(standingOf(job({ runAt: at(8_000), view: "scheduled" }), now))).toBe(
      `Attempt 1 is due <${at(8_000)}>, as it was asked for.`,
    );
    expect(read(standingOf(job({ ...due, attempts: [tried({})] }), now))).toBe(
      `Attempt 2 is due <${at(8_000)}>: the backoff after attempt 1.`,
    );
    expect(read(standingOf(job({ ...due, attempts: [tried({ outcome: "snoozed" })] }), now))).toBe(
      `Attempt 2 is due <${at(8_000)}>: the snooze of attempt 1.`,
    );
  });

  test("sent, and not picked up", () => {
    expect(read(standingOf(job({ sentAt: at(-500) }), now))).toBe(
      `Attempt 1 was sent to the lane normal <${at(-500)}> and waits to be picked up.`,
    );
  });

  test("sent, and left for the end of its batch since its last worker was lost", () => {
    const lost = job({ sentAt: at(-500), attempt: 1, attempts: [tried({ outcome: "lost" })] });
    expect(read(standingOf(lost, now))).toContain("picked up, after all others of its batch");
  });

  test("due, and not sent", () => {
    expect(read(standingOf(job({}), now))).toBe(
      `Attempt 1 is due since <${at(-1_000)}> and not sent yet: the next sweep sends it.`,
    );
  });

  test("held by a pause, or since its kind is unknown", () => {
    expect(read(standingOf(job({ held: { ...holds, by: "paused", reason: "SMTP down", since: at(-5) } }), now))).toBe(
      `Held: the kind demo is paused since <${at(-5)}>: SMTP down`,
    );
    expect(read(standingOf(job({ held: { ...holds, by: "unknown-kind" } }), now))).toBe(
      "Held: this release does not know the kind demo. It waits for one that does.",
    );
  });

  test("expiring: told of whatever it waits for, and no more once it runs", () => {
    const expiring = job({ sentAt: at(-500), expiresAt: at(60_000) });
    expect(read(standingOf(expiring, now))).toMatch(
      /picked up\. It expires <2026-12-01T10:01:00\.000Z>: not started by then, it is dead\.$/,
    );
    expect(read(standingOf(expiring, now + 60_000))).toMatch(
      /It expired <2026-12-01T10:01:00\.000Z>: it is not started any more, and dead soon\.$/,
    );
    expect(read(standingOf({ ...expiring, state: "processing", startedAt: at(0) }, now))).not.toMatch("expires");
  });

  test("held by a limit: which, what runs, and when the next start of a rate comes", () => {
    const of = (held: Partial<Held>, rest: Partial<JobDetail> = {}) =>
      read(standingOf(job({ ...rest, held: { ...holds, ...held } as Held }), now));
    const limits = "[Its limits /kinds#kind-demo].";
    expect(of({ by: "limit", limit: 5 })).toBe(
      `Held: of the kind demo no more than 5 run at once, and [these run /jobs?q=kind%3Ademo+state%3Aprocessing]. It starts when one of them ends. ${limits}`,
    );
    expect(of({ by: "group", limit: 1, since: at(-5) }, { groupKey: "customer 7" })).toBe(
      `Held: of the group customer 7 no more than 1 run at once, and [these run /jobs?q=kind%3Ademo+group%3A%22customer+7%22+state%3Aprocessing]. It starts when one of them ends. ${limits}`,
    );
    expect(of({ by: "rate", limit: 10, per: "hour", next: at(9_000) })).toBe(
      `Held: of the kind demo no more start than 10 an hour; the next start is free <${at(9_000)}>. ${limits}`,
    );
    expect(of({ by: "rate", limit: 10, per: "hour", next: at(-9_000) })).toMatch("; the next start is free now. ");
  });

  test("running, and asked to stop", () => {
    const running = job({ state: "processing", attempt: 2, startedAt: at(-3_000), cancelRequestedAt: null });
    expect(read(standingOf(running, now))).toBe(`Attempt 2 is running for <since ${at(-3_000)}>.`);
    expect(read(standingOf({ ...running, cancelRequestedAt: at(-1_000) }, now))).toBe(
      `Attempt 2 is running for <since ${at(-3_000)}>. A cancel was requested <${at(-1_000)}>: it stops at the next heartbeat.`,
    );
  });

  test.each<[string, Partial<JobDetail>, string]>([
    ["it is done", { state: "done", attempt: 2 }, `Done: attempt 2 succeeded <${at(0)}>.`],
    [
      "somebody cancelled it",
      { state: "cancelled", audit: [{ action: "cancel", actor: "ann" }] as JobDetail["audit"] },
      `Cancelled by ann <${at(0)}>. A requeue runs it again.`,
    ],
    ["its tries are used up", { state: "dead", attempt: 3, tries: 3 }, `Dead <${at(0)}>: all 3 tries are used up. It`],
    ["it had one try", { state: "dead", attempt: 1, tries: 1, maxAttempts: 1 }, ": its only try is used up."],
    [
      "no retry could help",
      { state: "dead", attempt: 1, tries: 1 },
      ": attempt 1 failed in a way that no retry can help.",
    ],
    [
      "it was buried",
      { state: "dead", attempt: 1, tries: 1, attempts: [tried({ finishedAt: at(-9_000) })] },
      ": it was given up before attempt 2 began.",
    ],
    ["it expired untried", { state: "dead", attempts: [] }, ": it was given up before attempt 1 began."],
    ["older attempts are looked at", { state: "dead", attempt: 9, tries: 9 }, `Dead <${at(0)}>. It waits for a person`],
  ])("%s", (_why, over, sentence) => {
    const number = over.attempt === 9 ? 4 : (over.attempt ?? 0);
    const ended = job({ maxAttempts: 3, finishedAt: at(0), attempts: [tried({ number })], ...over });
    expect(read(standingOf(ended, now))).toContain(sentence);
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
