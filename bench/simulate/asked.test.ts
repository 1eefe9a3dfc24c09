import { expect, it } from "vitest";
import { askedFor } from "./asked";

it.each([
  [{ seeds: "0", from: "0" }, "--seeds"],
  [{ seeds: "many", from: "0" }, "--seeds"],
  [{ seeds: "1.5", from: "0" }, "--seeds"],
  [{ seeds: "20", from: "-1" }, "--from"],
  [{ seeds: "20", from: "" }, "--from"],
  [{ seeds: "20", from: "0", theme: "weather" }, "--theme"],
])("a run that would simulate nothing is none: %o", (asked, named) => {
  expect(() => askedFor(asked)).toThrow(named);
});

it("what names seeds is taken as it is", () => {
  expect(askedFor({ seeds: "2000", from: "3", theme: "bulk" })).toEqual({ seeds: 2_000, from: 3 });
});
