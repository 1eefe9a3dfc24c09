import { describe, expect, test } from "vitest";
import { LEAST_RIGHTS } from "~/domain/people/roles";
import { CLOSED, LOCAL, LOCALHOST, visit } from "./testing";

const OPEN = { ...CLOSED, REPORTS_PUBLIC: "1" };

describe("daily reports for everybody", () => {
  test("where the deployment says so, the list, a report and its picture are shown to a visitor", async () => {
    for (const path of ["/reports", "/reports?before=2026-11-28", "/reports/2026-11-28", "/reports/2026-11-28.svg"]) {
      for (const method of ["GET", "HEAD"]) {
        const { visitor } = await visit(OPEN, path, { method });
        expect([path, visitor?.identity]).toEqual([path, { name: "visitor", how: "public", ...LEAST_RIGHTS }]);
      }
    }
  });

  test("nothing beside them is: no data of the router, no other path, no other method", async () => {
    const paths = [
      "/reports.data",
      "/reports/2026-11-28.data",
      "/reports/",
      "/reports/2026-11-28/",
      "//reports",
      "/REPORTS",
      "/reports/x",
      "/jobs",
      "/",
    ];
    for (const path of paths) expect([path, (await visit(OPEN, path)).visitor]).toEqual([path, undefined]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect((await visit(OPEN, "/reports", { method })).visitor).toBeUndefined();
    }
  });

  test("without the setting, or with another value, they are closed like the rest", async () => {
    for (const env of [CLOSED, { ...CLOSED, REPORTS_PUBLIC: "0" }, { ...CLOSED, REPORTS_PUBLIC: "true" }]) {
      expect((await visit(env, "/reports")).visitor).toBeUndefined();
    }
  });

  test("with no way in configured there is the how-to page and nothing else", async () => {
    const { visitor, response } = await visit({ REPORTS_PUBLIC: "1" }, "/reports");
    expect([visitor, response.status]).toEqual([undefined, 503]);
  });

  test("in local mode they are seen as oneself", async () => {
    const { visitor } = await visit({ ...LOCAL, REPORTS_PUBLIC: "1" }, `${LOCALHOST}/reports`);
    expect(visitor?.identity.how).toBe("local");
  });
});
