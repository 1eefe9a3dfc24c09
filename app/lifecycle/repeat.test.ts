import { beforeEach, describe, expect, it } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { cancel } from "./cancel";
import { limitKind } from "./limit_kind";
import { pauseKind, resumeKind } from "./pause_kind";
import { requeue } from "./requeue";

const ANN = { actor: "ann" };
const BEN = { actor: "ben" };
let world: World;
beforeEach(async () => {
  await clean();
  world = new World(probes);
});

/** Begins something whose first write commits, and whose reply is lost: it is sent again once everybody waits. */
function replyLost<T>(begin: () => Promise<T>): Promise<T> {
  let calls = 0;
  world.fault = () => (calls++ === 0 ? "after" : null);
  return begin();
}

const audited = async (action: string) =>
  (await world.sql("SELECT id FROM audit WHERE action = ? AND actor = 'ann'", action)).length;

describe("a button whose reply was lost and that is sent again has no second effect, whatever others did meanwhile", () => {
  it("a cancel leaves alone what somebody has requeued", async () => {
    const [id] = (await world.submit({ kind: "probe.ok", delaySeconds: 60 })) as [string];
    const first = replyLost(() => cancel(world.invocation().engine, { id }, ANN));
    const second = await world.until(requeue(world.invocation().engine, { id, generation: 1 }, BEN));
    expect(second).toEqual({ kind: "requeued", id, generation: 2 });
    expect(await world.until(first)).toEqual({ kind: "refused", state: "pending" });
    expect(await world.job(id)).toMatchObject({ state: "pending", generation: 2 });
    expect(await audited("cancel")).toBe(1);
    const { kept, real } = await world.recount();
    expect(kept).toEqual(real);
  });

  it("a cancel that nobody has crossed cancels, and says so", async () => {
    const [id] = (await world.submit({ kind: "probe.ok", delaySeconds: 60 })) as [string];
    expect(await world.until(replyLost(() => cancel(world.invocation().engine, { id }, ANN)))).toEqual({
      kind: "cancelled",
    });
    expect(await audited("cancel")).toBe(1);
  });

  it("a pause leaves a kind running that somebody has resumed", async () => {
    const first = replyLost(() => pauseKind(world.invocation().engine, "probe.ok", ANN));
    expect(await world.until(resumeKind(world.invocation().engine, "probe.ok", BEN))).toEqual({ kind: "changed" });
    expect(await world.until(first)).toEqual({ kind: "changed" });
    expect(await world.sql("SELECT paused_at FROM kinds WHERE name = 'probe.ok'")).toEqual([{ paused_at: null }]);
    expect(await audited("pause kind")).toBe(1);
  });

  it("limits leave those alone that somebody has set after them", async () => {
    const first = replyLost(() => limitKind(world.invocation().engine, "probe.ok", { running: 1 }, ANN));
    const second = limitKind(world.invocation().engine, "probe.ok", { running: 2 }, BEN);
    expect(await world.until(second)).toEqual({ kind: "changed" });
    expect(await world.until(first)).toEqual({ kind: "changed" });
    expect(await world.sql("SELECT limits FROM kinds WHERE name = 'probe.ok'")).toEqual([{ limits: '{"running":2}' }]);
  });
});
