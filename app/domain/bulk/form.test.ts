import { expect, test } from "vitest";
import { bulkFormOf, fieldsOf } from "./form";

const form = (...fields: [string, string][]) => {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return bulkFormOf(data);
};
const OPERATION = "019ad959-2a80-7000-8000-000000000001";

test("ticked jobs are named once each, with the list in which they were ticked", () => {
  expect(
    form(
      ["action", "requeue"],
      ["id", "a"],
      ["id", "b"],
      ["id", "a"],
      ["view", "dead"],
      ["kind", "demo"],
      ["reason", " x "],
    ),
  ).toEqual({
    kind: "call",
    call: { action: "requeue", ids: ["a", "b"], filter: { view: "dead", kind: "demo" }, reason: "x" },
  });
  expect(form(["action", "cancel"], ["id", "a"], ["view", ""], ["reason", " "])).toEqual({
    kind: "call",
    call: { action: "cancel", ids: ["a"] },
  });
});

test("everything that matches is meant where an operation has its id; numbers may be grouped as they are shown", () => {
  const fields: [string, string][] = [
    ["action", "delete"],
    ["operation", OPERATION],
    ["view", "dead"],
    ["cause", "it broke"],
    ["confirm", "1,204"],
    ["pace", "60"],
  ];
  const call = {
    action: "delete",
    id: OPERATION,
    filter: { view: "dead", cause: "it broke" },
    confirm: 1_204,
    pace: 60,
  };
  expect(form(...fields)).toEqual({ kind: "call", call });
  expect(fieldsOf(call as never)).toEqual([
    ["action", "delete"],
    ["view", "dead"],
    ["cause", "it broke"],
    ["operation", OPERATION],
  ]);
});

test("nothing ticked is nothing to do, and what is wrong is refused with where", () => {
  expect(form(["action", "requeue"], ["view", "dead"])).toEqual({ kind: "nothing" });
  expect(form(["action", "explode"], ["id", "a"])).toMatchObject({
    kind: "refused",
    status: 400,
    problems: [{ path: "action" }],
  });
  expect(form(["action", "requeue"], ["operation", OPERATION], ["view", "done"])).toMatchObject({
    problems: [{ path: "filter.view" }],
  });
  expect(form(["action", "delete"], ["operation", OPERATION], ["view", "dead"], ["confirm", "many"])).toMatchObject({
    problems: [{ path: "confirm" }],
  });
  const many = Array.from({ length: 1_001 }, (_, n): [string, string] => ["id", String(n)]);
  expect(form(["action", "requeue"], ...many)).toMatchObject({
    kind: "refused",
    status: 413,
    problems: [{ limit: 1_000 }],
  });
});
