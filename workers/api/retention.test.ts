import { beforeEach, describe, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

beforeEach(clean);

describe("retention", () => {
  test("C086: is told, and set with who did it and why", async () => {
    const world = new World(probes);
    const api = clientOf(world);
    expect((await api.get("/retention")).body).toEqual({ finishedDays: 30, deadDays: 90 });
    const set = await api.put("/retention", { finishedDays: 0, deadDays: 3_650, reason: "audit" });
    expect([set.status, set.body]).toEqual([200, { finishedDays: 0, deadDays: 3_650 }]);
    expect((await api.get("/retention")).body).toEqual({ finishedDays: 0, deadDays: 3_650 });
    expect(await world.sql("SELECT actor, action, reason FROM audit")).toEqual([
      { actor: "ann", action: "retention", reason: "audit" },
    ]);
  });

  test("C086: less than 0 days, more than ten years, parts of days, texts and a missing number are refused by name", async () => {
    const world = new World(probes);
    const api = clientOf(world);
    const good = { finishedDays: 30, deadDays: 90 };
    for (const bad of [-1, 3_651, 0.5, "30", null, undefined]) {
      for (const field of ["finishedDays", "deadDays"]) {
        const answer = await api.put("/retention", { ...good, [field]: bad });
        expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ path: field })]]);
      }
    }
    const minus = await api.put("/retention", { ...good, deadDays: -1 });
    expect(minus.body.errors).toEqual([{ path: "deadDays", message: "is at least 0 (kept for ever)" }]);
    expect((await api.get("/retention")).body).toEqual({ finishedDays: 30, deadDays: 90 });
    expect(await world.sql("SELECT 1 FROM audit")).toEqual([]);
  });
});
