import { expect, test } from "vitest";
import { matchesOf } from "./matches";

test("every match in either case, letter for letter, none within another", () => {
  expect(matchesOf("Abc abC a.c", "ABC")).toEqual([0, 4]);
  expect(matchesOf("aaaa", "aa")).toEqual([0, 2]);
  expect(matchesOf("a.c abc", ".")).toEqual([1]);
  expect(matchesOf("abc", "")).toEqual([]);
  expect(matchesOf("abc", "d")).toEqual([]);
});

test("places stay right beside letters that grow when they are made small", () => {
  expect(matchesOf("İ x", "x")).toEqual([2]);
});
