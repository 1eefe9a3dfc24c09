import { expect, test } from "vitest";
import { fitsOf } from "./glob";

test.each([
  ["a", "a", true],
  ["a", "ab", false],
  ["a", "ba", false],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*a", "aba", true],
  ["ab*bc", "abc", false],
  ["ab*bc", "abbc", true],
  ["*", "", true],
  ["*", "any\nthing", true],
  ["**", "", true],
  ["*a", "ba", true],
  ["*a", "ab", false],
  ["a*", "ab", true],
  ["a*", "ba", false],
  ["*api*key*", "x-API-Key-2", true],
  ["*api*key*", "apikey", true],
  ["*api*key*", "key-api", false],
  ["*api*key*", "apkey", false],
  ["*aba*aba*", "ababa", false],
  ["*aba*aba*", "abaaba", true],
  ["a*b*b", "ab", false],
  ["a*b*b", "abb", true],
  ["a*b*ab", "aab", false],
  ["a*b*ab", "abab", true],
  ["*ab*b", "cab", false],
  ["a+*", "aa", false],
  ["a+*", "a+", true],
  ["*É*", "xéx", true],
])("%s and %j: %s", (glob, name, like) => {
  // What it means, said by a regular expression: right, but not for a name of any length.
  const said = glob.replace(/[.+?^${}()|[\]\\/]/g, "\\$&").replaceAll("*", ".*");
  expect(new RegExp(`^${said}$`, "is").test(name)).toBe(like);
  expect(fitsOf(glob)(name)).toBe(like);
});
