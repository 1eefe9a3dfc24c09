import { expect, test } from "vitest";
import { preferencesCookie, preferencesOf, readCookie, withChange } from "./preferences";

test("preferences come back from their own cookie", () => {
  const cookie = preferencesCookie({ theme: "dark", refresh: false }).split(";")[0] as string;
  expect(preferencesOf(`a=b; ${cookie}; c=d`)).toEqual({ theme: "dark", refresh: false });
});

test("without a cookie, or with a broken one, they are the defaults", () => {
  expect(preferencesOf(null)).toEqual({ theme: "system", refresh: true });
  expect(preferencesOf("preferences=theme%3D<script>&theme=pink&refresh=maybe")).toEqual({
    theme: "system",
    refresh: true,
  });
});

test("a change touches only what it names", () => {
  const before = { theme: "dark", refresh: false } as const;
  expect(withChange(before, new URLSearchParams({ theme: "light" }))).toEqual({ theme: "light", refresh: false });
  expect(withChange(before, new URLSearchParams({ refresh: "on" }))).toEqual({ theme: "dark", refresh: true });
  expect(withChange(before, new URLSearchParams({ theme: "pink" }))).toEqual(before);
});

test("a cookie is found by its whole name", () => {
  expect(readCookie("xa=1; a=2=3", "a")).toBe("2=3");
  expect(readCookie("xa=1", "a")).toBeNull();
});
