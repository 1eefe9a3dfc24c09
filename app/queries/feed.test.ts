import { expect, test } from "vitest";
import { feedOf, nextFeed } from "./feed";

const body = (revision: number, n: number) => ({ revision, now: String(revision), jobs: [{ id: "a", n }] });

test("answers that bring nothing new are counted, whatever revision and clock say", () => {
  const first = feedOf(body(1, 1), 10);
  const second = nextFeed(first, body(2, 1), 20);
  const third = nextFeed(second, body(3, 1), 30);
  expect([second.unchanged, third.unchanged]).toEqual([1, 2]);
  expect(third.at).toBe(30);
});

test("something new starts the count again", () => {
  const quiet = nextFeed(feedOf(body(1, 1), 10), body(2, 1), 20);
  expect(nextFeed(quiet, body(3, 2), 30).unchanged).toBe(0);
});

test("an answer from before what is on screen is left aside", () => {
  const onScreen = feedOf(body(5, 2), 50);
  expect(nextFeed(onScreen, body(4, 1), 60)).toBe(onScreen);
});
