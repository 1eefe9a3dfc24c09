import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import type { JobRow } from "../feeds";
import { EXPORT_FORMATS } from "./export";

const job = (label: string | null): JobRow => ({
  id: "01a2310c-0100-7000-8000-000000000001",
  kind: "demo",
  lane: "normal",
  state: "dead",
  view: "dead",
  label,
  attempt: 3,
  tries: 3,
  maxAttempts: 3,
  generation: 1,
  runAt: "2026-12-01T10:00:00.000Z",
  createdAt: "2026-12-01T10:00:00.000Z",
  startedAt: null,
  finishedAt: null,
  lastError: null,
  cause: null,
  heldByGroup: false,
});

describe("a list as CSV", () => {
  const read = (label: string | null) => {
    const text = EXPORT_FORMATS.csv.head() + EXPORT_FORMATS.csv.row(job(label));
    return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
  };

  test.each(["plain", 'a "quoted", b', "two\r\nlines", "Zoë 😀", " spaces ", "", "100%"])(
    "%j comes back as it was",
    (label) => {
      expect(read(label)).toEqual([expect.objectContaining({ label, kind: "demo", attempt: "3", finishedAt: "" })]);
    },
  );

  test.each(["=1+1", "+1", "-2", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x";"y")', "＝1+1"])(
    "%j is no formula in a spreadsheet",
    (label) => {
      expect(read(label)[0]?.label).toBe(`'${label}`);
    },
  );

  test("nothing is an empty cell, and a file cut short says how to go on", () => {
    expect(read(null)[0]?.label).toBe("");
    expect(EXPORT_FORMATS.csv.cut(2, "abc")).toBe("Cut short after 2 rows: go on with cursor=abc\r\n");
  });
});

test("a list as NDJSON is a job a line", () => {
  const text = EXPORT_FORMATS.ndjson.row(job("two\nlines"));
  expect(text.split("\n")).toHaveLength(2);
  expect(JSON.parse(text)).toEqual(job("two\nlines"));
  expect(JSON.parse(EXPORT_FORMATS.ndjson.cut(2, "abc"))).toEqual({ cutShort: { rows: 2, next: "abc" } });
});
