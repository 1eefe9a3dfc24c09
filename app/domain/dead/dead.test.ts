import { expect, test } from "vitest";
import { AGES, agesAt, causeAddress, cellAddress, moreCauses, readCauseCursor, writeCauseCursor } from "./dead";

const NOW = Date.parse("2026-12-01T10:20:00.000Z");
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(5, 16));

test("ages follow one another without a hole, from this hour to all that is older than seven days", () => {
  const ages = agesAt(NOW);
  expect(ages.map(({ from, to }) => [iso(from), iso(to)])).toEqual([
    ["12-01T10:00", null],
    ["12-01T05:00", "12-01T10:00"],
    ["11-30T11:00", "12-01T05:00"],
    ["11-28T11:00", "11-30T11:00"],
    ["11-24T11:00", "11-28T11:00"],
    [null, "11-24T11:00"],
  ]);
  for (const [i, { from }] of ages.slice(0, -1).entries()) expect(ages[i + 1]?.to).toBe(from);
  expect(ages).toHaveLength(AGES.length);
});

test("a cell leads to the dead jobs of its cause that ended within it", () => {
  expect(cellAddress("demo: it broke", { from: NOW, to: null })).toBe(
    "/jobs?view=dead&cause=demo%3A+it+broke&q=finished%3A2026-12-01T10%3A20%3A00.000Z..",
  );
  expect(causeAddress("a: 100 % of /x?")).toBe("/causes/a%3A%20100%20%25%20of%20%2Fx%3F");
});

test("a cursor is read as it was written, and nothing else is one", () => {
  for (const cursor of [
    { n: 7, cause: "a: b.c" },
    { n: 0, cause: "12." },
  ])
    expect(readCauseCursor(writeCauseCursor(cursor))).toEqual(cursor);
  for (const text of ["", "7", "7.", ".a", "-1.a", "x.a"]) expect(readCauseCursor(text)).toBeNull();
});

test("causes that are not shown are counted where all are told, and no number is made up where they are not", () => {
  expect(moreCauses(6, 5)).toBe("1 more cause");
  expect(moreCauses(49, 5)).toBe("44 more causes");
  expect(moreCauses(50, 5)).toBe("45 or more further causes");
});
