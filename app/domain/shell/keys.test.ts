import { describe, expect, test } from "vitest";
import { commandOf, type Pressed } from "./keys";
import { PAGES } from "./pages";

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrl: false,
  meta: false,
  alt: false,
  shift: false,
  typing: false,
  ...more,
});
const ON = { on: true, waiting: false };

describe("a key", () => {
  test("leads to a page after g, and to none after another key", () => {
    expect(commandOf(press("g"), ON)).toEqual({ do: "wait" });
    for (const { key, to } of PAGES)
      expect(commandOf(press(key), { on: true, waiting: true })).toEqual({ do: "go", to });
    expect(commandOf(press("d"), ON)).toBeNull();
    expect(commandOf(press("x"), { on: true, waiting: true })).toBeNull();
  });

  test("is a letter of its own", () => {
    expect(commandOf(press("j"), ON)).toEqual({ do: "row", by: 1 });
    expect(commandOf(press("X", { shift: true }), ON)).toEqual({ do: "pick", range: true });
    expect(commandOf(press("?", { shift: true }), ON)).toEqual({ do: "sheet" });
    expect(commandOf(press("."), ON)).toEqual({ do: "actions" });
    expect(commandOf(press("toString"), ON)).toBeNull();
  });

  test("never asks for anything while somebody types, nor together with keys of the browser", () => {
    for (const key of ["j", "?", "/", ".", "g", "r"]) {
      expect(commandOf(press(key, { typing: true }), ON)).toBeNull();
      for (const held of ["ctrl", "meta", "alt"] as const)
        expect(commandOf(press(key, { [held]: true }), ON)).toBeNull();
    }
  });

  test("switched off, only the one with Ctrl remains, also while somebody types", () => {
    expect(commandOf(press("j"), { on: false, waiting: false })).toBeNull();
    expect(commandOf(press("?"), { on: false, waiting: false })).toBeNull();
    expect(commandOf(press("k", { ctrl: true, typing: true }), { on: false, waiting: false })).toEqual({
      do: "palette",
    });
    expect(commandOf(press("k", { meta: true }), ON)).toEqual({ do: "palette" });
    expect(commandOf(press("k", { ctrl: true, shift: true }), ON)).toBeNull();
  });

  test("each page has a letter of its own", () => {
    expect(new Set(PAGES.map(({ key }) => key)).size).toBe(PAGES.length);
  });
});
