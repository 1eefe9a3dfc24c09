import { describe, expect, test } from "vitest";
import { type Cursor, readCursor, turnedRound, writeCursor } from "./cursor";

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
