import { RouterContextProvider } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import { appContext } from "~/cloudflare";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { publishReport, withdrawReport } from "~/lifecycle/publish";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { loader as one } from "./report";
import { loader as list } from "./reports";

beforeEach(clean);

let builds = 0;

/** Asks as a visitor; each test with a build of its own, so that none finds another's copies. */
function visitor() {
  const build = `b${++builds}`;
  const world = new World(probes);
  world.now = Date.parse("2026-12-02T12:00:00Z");
  const used: number[] = [];
  async function ask(path: string, init: RequestInit = {}, how: "public" | "session" = "public") {
    const { engine } = world.invocation();
    engine.settings.appVersion = build;
    const context = new RouterContextProvider();
    context.set(appContext, {
      engine,
      identity: { name: "visitor", how, ...ALL_RIGHTS },
      local: false,
      adminToken: true,
      nonce: "n",
    });
    const request = new Request(`https://jobs.example${path}`, init);
    const day = /^\/reports\/(.+)$/.exec(path.split("?")[0] as string)?.[1];
    const args = { request, context, params: { day: day ?? "" } } as never;
    const response: Response = await world.until(Promise.resolve(day ? one(args) : list(args)));
    used.push(engine.store.used.rowsRead);
    return response;
  }
  return {
    world,
    ask,
    used,
    publish: (day: string, options = {}) => publishReport(world.invocation().engine, day, options),
  };
}

describe("a published report", () => {
  test("is a page with its numbers and its picture; a day that is not published, or no day at all, is 404", async () => {
    const { ask, publish } = visitor();
    await publish("2026-12-01");
    const page = await ask("/reports/2026-12-01");
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Report of 2026-12-01");
    const picture = await ask("/reports/2026-12-01.svg");
    expect([picture.headers.get("Content-Type"), (await picture.text()).slice(0, 4)]).toEqual([
      "image/svg+xml",
      "<svg",
    ]);
    for (const path of ["/reports/2026-11-30", "/reports/2026-11-30.svg", "/reports/nothing", "/reports/2026-02-30"]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
  });

  test("is noindex until it was published for search engines", async () => {
    const { ask, publish } = visitor();
    await publish("2026-12-01");
    expect((await ask("/reports/2026-12-01")).headers.get("X-Robots-Tag")).toBe("noindex");
    await publish("2026-12-01", { update: true, indexable: true });
    const page = await ask("/reports/2026-12-01");
    expect(page.headers.get("X-Robots-Tag")).toBeNull();
    expect(await page.text()).not.toContain("noindex");
  });

  test("that is withdrawn is gone at once, though a copy was kept", async () => {
    const { world, ask, publish } = visitor();
    await publish("2026-12-01");
    await ask("/reports/2026-12-01");
    await withdrawReport(world.invocation().engine, "2026-12-01");
    expect((await ask("/reports/2026-12-01")).status).toBe(404);
    expect(await (await ask("/reports")).text()).not.toContain("/reports/2026-12-01");
  });
});

describe("copies", () => {
  test("a kept page costs one row read, and an update is seen at once with no purge", async () => {
    const { world, ask, used, publish } = visitor();
    await publish("2026-12-01");
    await ask("/reports/2026-12-01");
    const first = await (await ask("/reports/2026-12-01")).text();
    expect(used[1]).toBe(1);
    await world.submit({ kind: "probe.ok" });
    await world.sql("DELETE FROM stats");
    await world.sql(
      "INSERT INTO stats (kind, grain, at, done, run_3, ran_ms) VALUES ('probe.ok', 900000, ?, 5, 5, 50)",
      Date.parse("2026-12-01T10:00:00Z"),
    );
    await publish("2026-12-01", { update: true });
    const second = await (await ask("/reports/2026-12-01")).text();
    expect(second).not.toBe(first);
    expect(second).toContain("probe.ok");
  });

  test("visitors always ask again; the same page then is 304, to HEAD as to GET, and another revision is not", async () => {
    const { ask, publish } = visitor();
    await publish("2026-12-01");
    const page = await ask("/reports/2026-12-01");
    expect(page.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    const etag = page.headers.get("ETag") as string;
    for (const method of ["GET", "HEAD"]) {
      const again = await ask("/reports/2026-12-01", { method, headers: { "If-None-Match": `"x", ${etag}` } });
      expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
    }
    const head = await ask("/reports/2026-12-01", { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", etag]);
    await publish("2026-11-30");
    expect((await ask("/reports/2026-12-01", { headers: { "If-None-Match": etag } })).status).toBe(200);
  });

  test("for those who signed in they are private", async () => {
    const { ask, publish } = visitor();
    await publish("2026-12-01");
    const page = await ask("/reports/2026-12-01", {}, "session");
    expect(page.headers.get("Cache-Control")).toBe("private, max-age=0, must-revalidate");
  });

  test("with the revision unreadable the page says that it failed, and shows nothing that was kept", async () => {
    const { world, ask, publish } = visitor();
    await publish("2026-12-01");
    await ask("/reports/2026-12-01");
    world.fault = () => "before";
    const page = await ask("/reports/2026-12-01");
    expect([page.status, page.headers.get("Retry-After"), page.headers.get("ETag")]).toEqual([503, "10", null]);
  });

  test("only GET and HEAD are answered", async () => {
    const { ask } = visitor();
    expect((await ask("/reports", { method: "POST" })).status).toBe(405);
  });
});

describe("the list", () => {
  test("says that yesterday's report is being made in the first ten minutes, and that it is late after them", async () => {
    const { world, ask, publish } = visitor();
    await publish("2026-11-30");
    world.now = Date.parse("2026-12-02T00:09:59Z");
    const early = await ask("/reports");
    expect(await early.text()).toContain("The report of 2026-12-01 is being made.");
    world.now = Date.parse("2026-12-02T00:10:00Z");
    const late = await ask("/reports", { headers: { "If-None-Match": early.headers.get("ETag") as string } });
    expect(late.status).toBe(200);
    expect(await late.text()).toContain("The report of 2026-12-01 is late.");
  });

  test("does not call a report late before there was a first one", async () => {
    const { world, ask } = visitor();
    world.now = Date.parse("2026-12-02T08:00:00Z");
    const text = await (await ask("/reports")).text();
    expect([text.includes("is late"), text.includes("The first report comes after")]).toEqual([false, true]);
  });

  test("does not call a report late that was withdrawn", async () => {
    const { world, ask, publish } = visitor();
    for (const day of ["2026-11-30", "2026-12-01"]) await publish(day);
    await withdrawReport(world.invocation().engine, "2026-12-01");
    const text = await (await ask("/reports")).text();
    expect([text.includes("is late"), text.includes("is being made")]).toEqual([false, false]);
  });

  test("has every report, newest first, thirty a page", async () => {
    const { ask, publish } = visitor();
    for (let day = 1; day <= 31; day++) await publish(`2026-10-${String(day).padStart(2, "0")}`);
    const daysOf = async (path: string) =>
      [...(await (await ask(path)).text()).matchAll(/href="\/reports\/(2026[\d-]+)"/g)].map((match) => match[1]);
    const first = await daysOf("/reports");
    expect([first.length, first[0], first.at(-1)]).toEqual([30, "2026-10-31", "2026-10-02"]);
    expect(await daysOf("/reports?before=2026-10-02")).toEqual(["2026-10-01"]);
  });
});
