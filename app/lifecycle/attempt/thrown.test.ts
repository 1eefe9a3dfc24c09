import { beforeEach, expect, test } from "vitest";
import { PermanentError } from "~/domain/errors";
import type { JobContext } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { kindOf } from "~/testing/kind";
import { clean, World } from "~/testing/world";

beforeEach(clean);

const nothing = () => {
  throw new Error("it is not to be looked at");
};
const NO_TEXT = "a value that has no text";

/** One job that does `what`, between two that take their time: how all three stand, and what became of the one. */
async function between(what: (ctx: JobContext) => unknown) {
  const world = new World(
    registryOf(
      kindOf("odd", async (ctx) => what(ctx), { retry: { jitter: 0, maxAttempts: 2 } }),
      kindOf("slow", (ctx) => ctx.sleep(5_000)),
    ),
  );
  const [, odd] = await world.submit({ kind: "slow" }, { kind: "odd" }, { kind: "slow" });
  await world.deliver();
  const jobs = await world.sql<{ state: string }>("SELECT state FROM jobs ORDER BY id");
  const [attempt] = await world.attempts(odd as string);
  return { states: jobs.map(({ state }) => state), attempt };
}

test.each([
  ["an object without a prototype", Object.create(null), NO_TEXT],
  ["an error whose message is an object", Object.assign(new Error("no"), { message: { code: 5 } }), "[object Object]"],
  ["an error whose name is a symbol", Object.assign(new Error("no"), { name: Symbol("odd") }), "Symbol(odd): no"],
  ["an error whose stack is a number", Object.assign(new Error("no"), { stack: 5 }), "no"],
  [
    "an error that is frozen, with a message that is none",
    Object.freeze(Object.assign(new Error(), { message: 5 })),
    NO_TEXT,
  ],
  ["an error whose message throws", Object.defineProperty(new Error(), "message", { get: nothing }), NO_TEXT],
  ["what throws however it is looked at", new Proxy(new Error(), { get: nothing, getPrototypeOf: nothing }), NO_TEXT],
  ["nothing", undefined, "undefined"],
  ["a symbol", Symbol("odd"), "Symbol(odd)"],
])("who throws %s has failed, and the jobs beside it never notice", async (_what, thrown, error) => {
  const { states, attempt } = await between(() => {
    throw thrown;
  });
  expect(states).toEqual(["done", "pending", "done"]);
  expect(attempt).toMatchObject({ outcome: "failed", error });
});

test("an error that is one keeps its class, message and stack", async () => {
  const { states, attempt } = await between(() => {
    throw Object.assign(new PermanentError("no retry can help"), { code: 5 });
  });
  expect(states).toEqual(["done", "dead", "done"]);
  expect(attempt).toMatchObject({ error: "no retry can help", stack: expect.stringContaining("thrown.test.ts") });
});

test("a log takes whatever it is given: what has no text ends no attempt, and what comes after it is kept", async () => {
  const { states, attempt } = await between(({ log }) => {
    for (const line of [Object.create(null), Symbol("odd"), undefined, 5, "a line"]) log(line as string);
  });
  expect(states).toEqual(["done", "done", "done"]);
  expect(attempt).toMatchObject({ outcome: "done", log: `${NO_TEXT}\nSymbol(odd)\nundefined\n5\na line` });
});
