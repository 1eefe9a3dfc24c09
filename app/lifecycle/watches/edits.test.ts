import { beforeEach, describe, expect, test } from "vitest";
import { WATCH, WATCHES_MAX, type WatchCall } from "~/domain/watches/watch";
import { html, PAGE, putWatch, WatchWorld } from "~/testing/watches";
import { clean } from "~/testing/world";
import { createWatchFrom, removeWatchAndHistory, updateWatchFrom } from "./edit";
import { checkNow, pauseChecks, resumeChecks } from "./pause";

beforeEach(clean);

const by = { actor: "ann" };
const at = (text: string) => Date.parse(text);
const ORIGIN = "https://redrive.example";
const DAILY = { name: "price", url: PAGE, cron: "0 8 * * *" };
const call = (rest: object = {}): WatchCall => WATCH.parse({ ...DAILY, ...rest });
const engineOf = (world: WatchWorld) => world.invocation().engine;
const audit = (world: WatchWorld) =>
  world.sql<{ action: string }>("SELECT actor, action, before, after FROM audit ORDER BY id");

async function created(rest: object = {}, start = "2026-08-03T12:00:00Z") {
  const world = new WatchWorld(start);
  const saved = await world.until(createWatchFrom(engineOf(world), call(rest), { origin: ORIGIN }, by));
  if (saved.kind !== "saved") throw new Error(JSON.stringify(saved));
  return { world, id: saved.id };
}
/** The slot that is due, to its end. */
async function check(world: WatchWorld, id: string) {
  world.now = Math.max(world.now, (await world.watch(id)).due_at);
  await world.sweep();
  await world.drain();
}

describe("a new watch", () => {
  test("waits for its first slot to come, and remembers who made it", async () => {
    const { world, id } = await created({ channels: { slack: "https://hooks.slack.com/services/T/B/secret" } });
    expect(await world.due(id)).toBe("2026-08-04T08:00:00.000Z");
    expect(await audit(world)).toMatchObject([{ actor: "ann", action: "watch.create", before: null }]);
    const [{ after }] = (await audit(world)) as unknown as [{ after: string }];
    expect(JSON.parse(after)).toMatchObject({ watch: id, name: "price", channels: ["https://hooks.slack.com/…"] });
    expect(after).not.toContain("secret");
  });

  test("is one, however often its form is sent and its reply lost", async () => {
    const world = new WatchWorld("2026-08-03T12:00:00Z");
    const id = world.newId();
    let calls = 0;
    world.fault = () => (++calls === 2 ? "after" : null);
    const send = () => world.until(createWatchFrom(engineOf(world), call(), { origin: ORIGIN, id }, by));
    expect(await send()).toMatchObject({ kind: "saved", id });
    world.fault = () => null;
    expect(await send()).toEqual({ kind: "exists", id, version: 1 });
    expect(await world.sql("SELECT id FROM watches")).toEqual([{ id }]);
    expect(await audit(world)).toHaveLength(1);
  });

  test("beyond as many as are kept is refused", async () => {
    const world = new WatchWorld("2026-08-03T12:00:00Z");
    await world.sql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO watches (id, name, url, compare, cron, time_zone, channels, version, created_at, updated_at)
       SELECT 'w' || i, 'w', 'https://a.example/', 'text', '0 8 * * *', 'UTC', '{}', 1, 0, 0 FROM n`,
      WATCHES_MAX,
    );
    expect(await world.until(createWatchFrom(engineOf(world), call(), { origin: ORIGIN }, by))).toEqual({
      kind: "full",
      stored: WATCHES_MAX,
    });
  });

  const FORBIDDEN = [
    ...["http://127.0.0.1/", "http://localhost:8787/", "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/"],
    ...["http://169.254.169.254/latest", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://2130706433/"],
    ...["http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://0/", "ftp://example.com/"],
    ...["file:///etc/passwd", "javascript:alert(1)", "http://user:pw@example.com/", "example.com", ""],
  ];
  test.each(FORBIDDEN)("C069: of the address %j is refused, naming the rule", async (url) => {
    const world = new WatchWorld("2026-08-03T12:00:00Z");
    const saved = await world.until(createWatchFrom(engineOf(world), call({ url }), { origin: ORIGIN }, by));
    expect(saved).toMatchObject({
      kind: "rejected",
      rejection: {
        status: 400,
        problems: [{ path: "url", message: expect.stringContaining("must be a public https address") }],
      },
    });
    expect(await world.sql("SELECT id FROM watches")).toEqual([]);
  });
  test.each(["https://example.com/hook?x=1", "https://example.com:8443/h", "https://xn--bcher-kva.example/"])(
    "C069: of the address %s is taken",
    async (url) => {
      const { world, id } = await created({ url });
      expect(await world.watch(id)).toMatchObject({ url });
    },
  );

  test.each([
    [{ selector: "p:has(b)" }, "selector", "is no selector that is understood here"],
    [{ selector: "div >" }, "selector", "Dangling combinator"],
    [{ attribute: "content" }, "attribute", "goes with a selector only"],
    [{ cron: undefined }, "cron", "give cron or everyMinutes"],
    [{ everyMinutes: 5 }, "cron", "one of the two"],
    [{ cron: "61 * * * *" }, "cron", "is no minute"],
    [{ cron: "0 0 30 2 *" }, "cron", "never comes"],
    [{ timeZone: "Europe/Berln" }, "timeZone", "did you mean Europe/Berlin"],
    [{ channels: { slack: "http://hooks.slack.com/x" } }, "channels.slack", "must be a public https address"],
    [{ channels: { webhook: "https://10.0.0.1/" } }, "channels.webhook", "is an IP address"],
    [{ channels: { email: "ana@example" } }, "channels.email", "must be one plain address"],
  ])("with %j is refused at %s", async (rest, path, message) => {
    const world = new WatchWorld("2026-08-03T12:00:00Z");
    const saved = await world.until(createWatchFrom(engineOf(world), call(rest), { origin: ORIGIN }, by));
    expect(saved).toMatchObject({
      kind: "rejected",
      rejection: { problems: [{ path, message: expect.stringContaining(message) }] },
    });
  });
});

describe("a change", () => {
  const update = (world: WatchWorld, id: string, rest: object, version?: number) =>
    world.until(updateWatchFrom(engineOf(world), { id, version }, call(rest), ORIGIN, by));

  test("of the name keeps the next slot and what was seen; of the times moves the slot", async () => {
    const { world, id } = await created();
    await check(world, id);
    expect(await update(world, id, { name: "renamed" })).toEqual({ kind: "saved", id, version: 2 });
    expect(await world.watch(id)).toMatchObject({ name: "renamed", value: "same", due_at: at("2026-08-05T08:00:00Z") });
    await update(world, id, { cron: "30 9 * * *" });
    expect(await world.watch(id)).toMatchObject({ value: "same", due_at: at("2026-08-04T09:30:00Z") });
  });

  test("of what is looked at begins anew: the next look is a first one, asked for whole", async () => {
    const { world, id } = await created();
    world.answer = (asked) =>
      html("<p>one</p><b>two</b>", { etag: asked.headers.has("if-none-match") ? '"again"' : '"e"' });
    await check(world, id);
    await update(world, id, { selector: "b" });
    await check(world, id);
    expect(await world.watch(id)).toMatchObject({ value: "two", etag: '"e"' });
    expect((await world.checks(id)).map(({ outcome }) => outcome)).toEqual(["first", "first"]);
  });

  test("while a check is under way: what it saw is history, and not compared with what comes", async () => {
    const { world, id } = await created();
    world.now = at("2026-08-04T08:00:00Z");
    await world.sweep();
    world.answer = async ({ url }) => {
      if (url === PAGE) await update(world, id, { url: "https://other.example/" });
      return html(`<p>${url}`);
    };
    await world.drain();
    expect(await world.checks(id)).toMatchObject([{ outcome: "first", value: PAGE }]);
    expect(await world.watch(id)).toMatchObject({ value: null, due_at: at("2026-08-05T08:00:00Z") });
    await check(world, id);
    expect(await world.watch(id)).toMatchObject({ value: "https://other.example/" });
  });

  test("of every n minutes keeps the anchor, unless it names another", async () => {
    const { world, id } = await created({ cron: undefined, everyMinutes: 60 }, "2026-08-03T12:07:30Z");
    expect(await world.due(id)).toBe("2026-08-03T13:07:00.000Z");
    world.now = at("2026-08-03T12:20:00Z");
    await update(world, id, { cron: undefined, everyMinutes: 60, name: "x" });
    expect(await world.due(id)).toBe("2026-08-03T13:07:00.000Z");
    await update(world, id, { cron: undefined, everyMinutes: 60, anchor: "2026-08-03T12:30:00Z" });
    expect(await world.due(id)).toBe("2026-08-03T12:30:00.000Z");
  });

  test("of somebody who looked at an older version changes nothing and says so; two at once, one wins", async () => {
    const { world, id } = await created();
    await update(world, id, { name: "second" });
    expect(await update(world, id, { name: "late" }, 1)).toEqual({ kind: "changed", version: 2 });
    const both = await world.until(
      Promise.all(["a", "b"].map((name) => updateWatchFrom(engineOf(world), { id }, call({ name }), ORIGIN, by))),
    );
    expect(both.map(({ kind }) => kind).sort()).toEqual(["changed", "saved"]);
    expect(await update(world, "019fcbc9-6000-7004-9121-1e5a16ed182c", {})).toEqual({ kind: "not-found" });
  });

  test("of the times of a watch that stopped by itself lets it go on", async () => {
    const { world, id } = await created();
    await world.sql("UPDATE watches SET due_at = NULL, paused_at = 1, last_error = 'its times cannot be read'");
    await update(world, id, { cron: "0 9 * * *" });
    expect(await world.watch(id)).toMatchObject({
      paused_at: null,
      last_error: null,
      due_at: at("2026-08-04T09:00:00Z"),
    });
  });
});

describe("a pause", () => {
  test("lets no slot through, and going on makes no burst", async () => {
    const { world, id } = await created();
    await check(world, id);
    expect(await world.until(pauseChecks(engineOf(world), id, by))).toEqual({ kind: "done" });
    expect(await world.until(pauseChecks(engineOf(world), id, by))).toEqual({ kind: "unchanged" });
    await world.sweepAt("2026-08-08T10:00:00Z");
    expect(await world.checks(id)).toHaveLength(1);
    expect(await world.until(resumeChecks(engineOf(world), id, by))).toEqual({ kind: "done" });
    expect(await world.due(id)).toBe("2026-08-09T08:00:00.000Z");
    await world.sweep();
    expect(await world.unfinished()).toBe(0);
    expect((await audit(world)).map(({ action }) => action)).toEqual(["watch.create", "watch.pause", "watch.resume"]);
  });

  test("while a check is under way lets it end, and stays", async () => {
    const { world, id } = await created();
    await world.sweepAt("2026-08-04T08:00:00Z");
    await world.until(pauseChecks(engineOf(world), id, by));
    await world.drain();
    expect(await world.checks(id)).toMatchObject([{ outcome: "first" }]);
    expect(await world.watch(id)).toMatchObject({ due_at: null, value: "same", paused_by: "ann" });
  });
});

describe("a check asked for by a person", () => {
  test("runs now and leaves the next slot where it was", async () => {
    const { world, id } = await created();
    world.now = at("2026-08-03T15:30:12Z");
    const asked = await world.until(checkNow(engineOf(world), id, by));
    expect(asked).toMatchObject({ kind: "started", jobIds: [expect.any(String)] });
    await world.deliver();
    expect(await world.checks(id)).toMatchObject([
      { slot_at: at("2026-08-03T15:30:12Z"), outcome: "first", missed: 0 },
    ]);
    expect(await world.due(id)).toBe("2026-08-04T08:00:00.000Z");
  });

  test("is one, however many ask at once and while it runs; of a paused watch it stays paused", async () => {
    const { world, id } = await created();
    await world.until(pauseChecks(engineOf(world), id, by));
    const asked = await world.until(Promise.all([1, 2, 3].map(() => checkNow(engineOf(world), id, by))));
    expect(asked.map(({ kind }) => kind).sort()).toEqual(["started", "under-way", "under-way"]);
    expect(await world.until(checkNow(engineOf(world), id, by))).toEqual({ kind: "under-way" });
    await world.sweep();
    await world.deliver();
    expect(await world.checks(id)).toHaveLength(1);
    expect(await world.watch(id)).toMatchObject({ due_at: null, value: "same" });
    expect(world.asked).toHaveLength(1);
  });

  test("whose asker crashes before the job is there is made by the next sweep", async () => {
    const { world, id } = await created();
    const crashing = world.invocation();
    const gate = world.hold("check now: before start", crashing);
    void checkNow(crashing.engine, id, by);
    await gate.reached;
    crashing.kill();
    await world.sweep();
    await world.deliver();
    expect(await world.checks(id)).toMatchObject([{ outcome: "first" }]);
  });

  test("of a watch that is not there says so", async () => {
    const world = new WatchWorld("2026-08-03T12:00:00Z");
    const id = world.newId();
    const asks = [checkNow, pauseChecks, resumeChecks] as ((
      ...args: Parameters<typeof checkNow>
    ) => Promise<unknown>)[];
    for (const ask of asks) {
      expect(await world.until(ask(engineOf(world), id, by))).toEqual({ kind: "not-found" });
    }
    expect(await world.until(removeWatchAndHistory(engineOf(world), id, by))).toBe("not-found");
  });
});

describe("a removed watch", () => {
  test("takes its history along; its jobs stay, and a check under way ends without a mark", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const id = await putWatch(world, world.now);
    const other = await putWatch(world, world.now, { url: "https://other.example/" });
    await world.sweep();
    await world.drain();
    await world.sweepAt("2026-08-05T08:00:00Z");
    expect(await world.until(removeWatchAndHistory(engineOf(world), id, by))).toBe("removed");
    expect(await world.until(removeWatchAndHistory(engineOf(world), id, by))).toBe("not-found");
    await world.drain();
    expect(await world.checks(id)).toEqual([]);
    expect(await world.checks(other)).toHaveLength(2);
    const jobs = await world.sql<{ result: string }>(
      "SELECT result, state FROM jobs WHERE payload LIKE ? ORDER BY id",
      `%${id}%`,
    );
    expect(jobs).toMatchObject([{ state: "done" }, { state: "done", result: '{"skipped":"the watch was removed"}' }]);
    await world.sweepAt("2026-08-06T07:00:00Z");
    expect(await world.unfinished()).toBe(0);
  });
});

test("history older than it is kept for is dropped, a little with each check", async () => {
  const { world, id } = await created();
  await check(world, id);
  await world.sql(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
     INSERT INTO watch_checks (watch_id, slot_at, job_id, at, outcome, missed) SELECT ?, i, 'j', i, 'unchanged', 0 FROM n`,
    id,
  );
  await check(world, id);
  expect(await world.checks(id)).toHaveLength(32);
  await check(world, id);
  expect((await world.checks(id)).every(({ slot_at }) => slot_at > 80)).toBe(true);
});
