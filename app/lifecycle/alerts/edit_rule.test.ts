import { beforeEach, describe, expect, test } from "vitest";
import { RULE, RULES_MAX, type RuleCall } from "~/domain/alerts/alerts";
import { AlertWorld, HOOK } from "~/testing/alerts";
import { clean } from "~/testing/world";
import { createRule, disable, enable, remove, testRule, updateRule } from "./edit_rule";

beforeEach(clean);

const by = { actor: "ann" };
const ORIGIN = "https://redrive.example";
const call = (rest: object = {}): RuleCall =>
  RULE.parse({ name: "ops", condition: "dead", moreThan: 10, channels: { webhook: HOOK }, ...rest });
const engineOf = (world: AlertWorld) => world.invocation().engine;
const create = (world: AlertWorld, rest: object = {}, id?: string) =>
  world.until(createRule(engineOf(world), call(rest), { origin: ORIGIN, id }, by));
const update = (world: AlertWorld, id: string, rest: object, version?: number) =>
  world.until(updateRule(engineOf(world), { id, version }, call(rest), ORIGIN, by));

describe("a rule", () => {
  test("is one, however often its form is sent; who did it is kept, and no address of a channel", async () => {
    const world = new AlertWorld();
    const id = world.newId();
    const rest = { channels: { slack: "https://hooks.slack.com/services/T/B/secret" } };
    expect(await create(world, rest, id)).toEqual({ kind: "saved", id, version: 1 });
    expect(await create(world, rest, id)).toEqual({ kind: "exists", id, version: 1 });
    const audit = await world.sql<{ actor: string; action: string; after: string }>("SELECT * FROM audit");
    expect(audit).toMatchObject([{ actor: "ann", action: "alert-rule.create" }]);
    expect(audit[0]?.after).toContain("https://hooks.slack.com/…");
    expect(audit[0]?.after).not.toContain("secret");
  });

  test.each([
    [{ channels: { webhook: "http://127.0.0.1/" } }, "channels.webhook"],
    [{ channels: { email: "nobody" } }, "channels.email"],
    [{ condition: "letters", kind: "demo" }, "kind"],
  ])("with %j is refused at %s", async (rest, path) => {
    const world = new AlertWorld();
    expect(await create(world, rest)).toMatchObject({ kind: "rejected", rejection: { problems: [{ path }] } });
    expect(await world.sql("SELECT id FROM alert_rules")).toEqual([]);
  });

  test("beyond as many as are kept is refused", async () => {
    const world = new AlertWorld();
    await world.sql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO alert_rules (id, name, condition, more_than, window_minutes, remind_minutes, channels, version, created_at, updated_at)
       SELECT 'r' || i, 'r', 'dead', 0, 15, 0, '{}', 1, 0, 0 FROM n`,
      RULES_MAX,
    );
    expect(await create(world)).toEqual({ kind: "full", stored: RULES_MAX });
  });

  test("is changed as a whole, by whoever looked at its newest version", async () => {
    const world = new AlertWorld();
    const id = await world.rule();
    expect(await update(world, id, { name: "second" })).toEqual({ kind: "saved", id, version: 2 });
    expect(await update(world, id, { name: "late" }, 1)).toEqual({ kind: "changed", version: 2 });
    const both = await world.until(
      Promise.all(["a", "b"].map((name) => updateRule(engineOf(world), { id }, call({ name }), ORIGIN, by))),
    );
    expect(both.map(({ kind }) => kind).sort()).toEqual(["changed", "saved"]);
    expect(await update(world, world.newId(), {})).toEqual({ kind: "not-found" });
  });
});

describe("while an alert of it is open", () => {
  const opened = async () => {
    const world = new AlertWorld();
    const id = await world.rule();
    await world.die(11);
    await world.minute();
    expect(world.types()).toEqual(["opened"]);
    return { world, id };
  };
  const open = (world: AlertWorld) => world.sql("SELECT id FROM alerts WHERE cleared_at IS NULL");

  test("a higher threshold gives the all-clear, a lower one no second alert", async () => {
    const { world, id } = await opened();
    await update(world, id, { moreThan: 5 });
    await world.minute();
    expect(world.types()).toEqual(["opened"]);
    await update(world, id, { moreThan: 50 });
    await world.minute();
    expect(world.types()).toEqual(["opened", "cleared"]);
  });

  test("a rule that counts something else from now on ends it, and nobody is told", async () => {
    const { world, id } = await opened();
    await update(world, id, { condition: "letters" });
    await world.minute();
    expect([world.types(), await open(world)]).toEqual([["opened"], []]);
  });

  test("disabled it ends, and nobody is told; enabled again while it is still true, it is news", async () => {
    const { world, id } = await opened();
    expect(await world.until(disable(engineOf(world), id, by))).toBe("done");
    expect(await world.until(disable(engineOf(world), id, by))).toBe("unchanged");
    await world.minute();
    expect([world.types(), await open(world)]).toEqual([["opened"], []]);
    expect(await world.until(enable(engineOf(world), id, by))).toBe("done");
    await world.minute();
    expect(world.types()).toEqual(["opened", "opened"]);
  });

  test("removed it ends; what was told stays", async () => {
    const { world, id } = await opened();
    expect(await world.until(remove(engineOf(world), id, by))).toBe("removed");
    expect(await world.until(remove(engineOf(world), id, by))).toBe("not-found");
    await world.minute();
    expect([world.types(), await open(world)]).toEqual([["opened"], []]);
    expect(await world.alerts()).toMatchObject([{ rule_name: "ops" }]);
    expect(await world.notices()).toHaveLength(1);
  });
});

describe("a test", () => {
  test("tells every channel at once, on or off, and opens nothing", async () => {
    const world = new AlertWorld();
    const id = await world.rule();
    await world.until(disable(engineOf(world), id, by));
    expect(await world.until(testRule(engineOf(world), id, by))).toMatchObject({
      kind: "sent",
      jobIds: [expect.any(String)],
    });
    await world.deliver();
    expect(world.told).toMatchObject([{ type: "alert.test", title: "Test: jobs die", data: { count: 0 } }]);
    expect(await world.alerts()).toMatchObject([{ opened_at: world.now, cleared_at: world.now }]);
    await world.minute();
    expect(world.told).toHaveLength(1);
  });

  test("of one form is one, however often it is pressed", async () => {
    const world = new AlertWorld();
    const id = await world.rule();
    const form = world.newId();
    await world.until(Promise.all([1, 2, 3].map(() => testRule(engineOf(world), id, by, form))));
    await world.deliver();
    expect(world.told).toHaveLength(1);
  });

  test("of a rule without a channel, or of none, says so", async () => {
    const world = new AlertWorld();
    const id = await world.rule({ channels: {} });
    expect(await world.until(testRule(engineOf(world), id, by))).toEqual({ kind: "no-channel" });
    expect(await world.until(testRule(engineOf(world), world.newId(), by))).toEqual({ kind: "not-found" });
  });
});
