import { describe, expect, test } from "vitest";
import { type Cursor, comesTo, readCursor, turnedRound, writeCursor } from "./cursor";

const ID = "019ad959-2a80-7000-8000-000000000001";
const cursors: Cursor[] = (["older", "newer"] as const).flatMap((walk) => [
  { walk, id: ID, inclusive: true },
  { walk, id: ID, inclusive: false },
  { walk, id: ID, inclusive: false, at: 1_796_119_200_000 },
]);

describe("a cursor", () => {
  test.each(cursors)("comes back as it was written: $walk, $inclusive", (cursor) => {
    expect(readCursor(writeCursor(cursor))).toEqual(cursor);
    expect(writeCursor(cursor)).toMatch(/^[\w-]+$/);
  });

  test("turned round twice is itself, and once it has what the other has not", () => {
    for (const cursor of cursors) {
      expect(turnedRound(turnedRound(cursor))).toEqual(cursor);
      expect(turnedRound(cursor).inclusive).toBe(!cursor.inclusive);
    }
  });

  test("every job is on one side of it", () => {
    const [low, high] = ["019ad959-2a80-7000-8000-000000000000", "019ad959-2a80-7000-8000-000000000002"];
    const ids = (cursor: Cursor, at: number | null = null) =>
      [high, ID, low].filter((id) => comesTo(cursor, { id, at }));
    expect(ids({ walk: "older", id: ID, inclusive: true })).toEqual([ID, low]);
    expect(ids({ walk: "older", id: ID, inclusive: false })).toEqual([low]);
    expect(ids({ walk: "newer", id: ID, inclusive: true })).toEqual([high, ID]);
    const byEnd: Cursor = { walk: "older", id: ID, inclusive: true, at: 100 };
    expect([ids(byEnd, 100), ids(byEnd, 99), ids(byEnd, 101)]).toEqual([[ID, low], [high, ID, low], []]);
    for (const cursor of cursors) {
      for (const id of [high, ID, low]) {
        for (const at of [1, 1_796_119_200_000, 2_000_000_000_000]) {
          expect(comesTo(cursor, { id, at })).toBe(!comesTo(turnedRound(cursor), { id, at }));
        }
      }
    }
  });

  test.each([
    "",
    "1",
    "%%%",
    "'; --",
    ID,
    btoa(ID),
    btoa(`<${ID}`),
    btoa(`<1~2~${ID}`),
    btoa(`<007~${ID}`),
    `${writeCursor(cursors[0] as Cursor)}A`,
    writeCursor(cursors[0] as Cursor).slice(0, -1),
    writeCursor({ walk: "older", id: "a b", inclusive: false }),
    writeCursor({ walk: "older", id: "a".repeat(65), inclusive: false }),
    "A".repeat(10_000),
  ])("%j is none", (text) => expect(readCursor(text)).toBeNull());
});
