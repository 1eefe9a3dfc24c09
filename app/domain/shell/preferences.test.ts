import { expect, test } from "vitest";
import {
  DEFAULTS,
  type Preferences,
  preferencesCookie,
  preferencesOf,
  readCookie,
  withChange,
  zoneNameOf,
} from "./preferences";

const OTHERS: Preferences = {
  theme: "dark",
  refresh: true,
  everySeconds: 15,
  zone: "local",
  timeZone: "Asia/Kathmandu",
  keys: false,
};

test("preferences come back from their own cookie", () => {
  for (const preferences of [DEFAULTS, OTHERS, { ...DEFAULTS, refresh: false }]) {
    const cookie = preferencesCookie(preferences).split(";")[0] as string;
    expect(preferencesOf(`a=b; ${cookie}; c=d`)).toEqual(preferences);
  }
});

test("without a cookie, or with a broken one, they are the defaults", () => {
  expect(preferencesOf(null)).toEqual(DEFAULTS);
  expect(preferencesOf("preferences=theme%3D<script>&theme=pink&refresh=maybe&every=3&zone=mars&keys=")).toEqual(
    DEFAULTS,
  );
});

test("a cookie of an earlier release still tells", () => {
  expect(preferencesOf("preferences=theme=dark&refresh=off")).toEqual({ ...DEFAULTS, theme: "dark", refresh: false });
});

test("a change touches only what it names", () => {
  const changed = (change: Record<string, string>) => withChange(OTHERS, new URLSearchParams(change));
  expect(changed({ theme: "light" })).toEqual({ ...OTHERS, theme: "light" });
  expect(changed({ every: "off" })).toEqual({ ...OTHERS, refresh: false });
  expect(changed({ every: "60" })).toEqual({ ...OTHERS, everySeconds: 60 });
  expect(changed({ zone: "utc", keys: "on" })).toEqual({ ...OTHERS, zone: "utc", keys: true });
  expect(changed({ timeZone: "Europe/Berlin" })).toEqual({ ...OTHERS, timeZone: "Europe/Berlin" });
  expect(changed({ timeZone: "x".repeat(101) })).toEqual(OTHERS);
  expect(changed({ theme: "pink", every: "1", zone: "", keys: "x" })).toEqual(OTHERS);
  expect(withChange({ ...OTHERS, refresh: false }, new URLSearchParams({ every: "5" }))).toMatchObject({
    refresh: true,
    everySeconds: 5,
  });
});

test("the zone is the browser's only where times are told by its clock, and where it has told it", () => {
  expect(zoneNameOf(OTHERS)).toBe("Asia/Kathmandu");
  expect(zoneNameOf({ ...OTHERS, zone: "utc" })).toBe("UTC");
  expect(zoneNameOf({ ...OTHERS, timeZone: "" })).toBe("UTC");
});

test("a cookie is found by its whole name", () => {
  expect(readCookie("xa=1; a=2=3", "a")).toBe("2=3");
  expect(readCookie("xa=1", "a")).toBeNull();
});
