import { expect, test } from "vitest";
import type { OperationRow } from "./feeds";
import { becameText, filterOfBecame, goneOf, operationTitle, ratePerMinute, stoppedText } from "./words";

const operation: OperationRow = {
  id: "019a",
  action: "requeue",
  view: "dead",
  kind: null,
  cause: null,
  q: null,
  state: "running",
  expected: 100,
  changed: 40,
  skipped: 10,
  pace: null,
  actor: "ana",
  reason: null,
  cutoff: "2026-12-01T10:00:00.000Z",
  createdAt: "2026-12-01T10:00:00.000Z",
  endedAt: null,
  why: null,
  became: { scheduled: 0, pending: 0, retrying: 0, processing: 0, done: 0, dead: 0, cancelled: 0 },
};
const at = (text: string) => Date.parse(`2026-12-01T${text}Z`);

test("an operation is called by what it does, and with what", () => {
  expect(operationTitle(operation)).toBe("Requeue dead jobs");
  expect(operationTitle({ ...operation, action: "cancel", view: "scheduled", kind: "demo" })).toBe(
    "Cancel scheduled jobs of the kind demo",
  );
  expect(operationTitle({ ...operation, kind: "demo", cause: "demo: it broke", q: "priority:high" })).toBe(
    "Requeue dead jobs of the kind demo and the cause “demo: it broke”, priority high",
  );
});

test("one that has stopped says how far it came, and by what", () =>
  expect(stoppedText({ ...operation, state: "stopped", kind: "demo", why: "its job was cancelled" })).toBe(
    "Requeue dead jobs of the kind demo has stopped at 50 of 100: its job was cancelled.",
  ));

test("what became of its jobs is told by how they stand, first what was meant", () => {
  const none = operation.became;
  const of = (became: Partial<typeof none>) => ({ ...operation, changed: 3_412, became: { ...none, ...became } });
  expect(becameText(of({ done: 3_000, dead: 212, pending: 150, processing: 50 }))).toBe(
    "3,000 of 3,412 done, 212 died again, 200 wait or run",
  );
  expect(becameText(of({ done: 3_412 }))).toBe("3,412 of 3,412 done");
  expect(becameText({ ...of({ cancelled: 3_400, done: 12 }), action: "cancel" })).toBe(
    "3,400 of 3,412 cancelled, 12 done",
  );
  expect(becameText(of({ done: 3_400 }))).toBe("3,400 of 3,412 done, 12 changed since, or removed");
  expect(becameText({ ...operation, changed: 0 })).toBeNull();
  expect(becameText({ ...of({}), action: "delete" })).toBeNull();
  expect(goneOf(of({ done: 3_000, dead: 212 }))).toBe(200);
  expect(goneOf(of({ done: 3_412 }))).toBe(0);
  expect(filterOfBecame("019a", "dead")).toEqual({ view: "dead", q: "operation:019a" });
});

test("its rate is over the time it has run, and over its whole run once it has ended", () => {
  expect(ratePerMinute(operation, at("10:00:30"))).toBe(100);
  expect(ratePerMinute({ ...operation, endedAt: "2026-12-01T10:00:10.000Z" }, at("12:00:00"))).toBe(300);
  expect(ratePerMinute({ ...operation, pace: 60 }, at("10:00:30"))).toBe(60);
  expect(ratePerMinute(operation, at("10:00:00"))).toBeNull();
});
