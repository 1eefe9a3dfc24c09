import { expect, test } from "vitest";
import { meaningOf, retryAfter } from "./answers";

test("C077: each status is a success, permanent or retried, by the documented table", () => {
  const table = {
    success: [200, 201, 202, 204],
    permanent: [301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 413, 422],
    retry: [408, 425, 429, 500, 502, 503, 504],
  };
  for (const [meaning, statuses] of Object.entries(table)) {
    for (const status of statuses) expect([status, meaningOf(status)]).toEqual([status, meaning]);
  }
});

test("C075: a valid Retry-After counts, an invalid or past one does not", () => {
  const now = Date.parse("2026-10-21T07:28:00Z");
  const read = (value: string | null) => retryAfter(value, now);
  expect(read("120")).toBe(120_000);
  expect(read("Wed, 21 Oct 2026 07:30:00 GMT")).toBe(120_000);
  expect(read("86400")).toBe(86_400_000);
  expect(read("604800")).toBe(604_800_000);
  for (const value of [
    "Wed, 21 Oct 2026 07:00:00 GMT",
    "0",
    "soon",
    "",
    "-5",
    "1.5",
    "1e3",
    "0x10",
    "2026-10-21T07:30:00Z",
    null,
  ]) {
    expect([value, read(value)]).toEqual([value, null]);
  }
});
