import { describe, expect, test } from "vitest";
import { lastWord, suggest } from "./suggest";

const known = {
  kind: [
    { value: "demo", means: "12" },
    { value: "send mail", means: "3" },
  ],
};
const inserts = (input: string) => suggest(input, known).map(({ insert }) => insert);

describe("what could be meant", () => {
  test.each([
    [
      "",
      ["state:", "kind:", "cause:", "key:", "group:", "schedule:", "operation:", "priority:", "created:", "finished:"],
    ],
    ["k", ["kind:", "key:"]],
    ["-ki", ["-kind:"]],
    ["boom s", ["state:", "schedule:"]],
    ["kind:", ["kind:demo", 'kind:"send mail"']],
    ["kind:MA", ['kind:"send mail"']],
    ["-kind:de", ["-kind:demo"]],
    ["kind:demo", []],
    ["kind:demo,", ['kind:demo,"send mail"', "kind:demo,demo"]],
    ["priority:h", ["priority:high"]],
    ["state:re", ["state:retrying"]],
    ["created:", ["created:15m", "created:1h", "created:24h", "created:7d"]],
    ["cause:", []],
    ["http://x", []],
    ["it's", []],
  ])("%j", (input, expected) => expect(inserts(input).sort()).toEqual([...expected].sort()));

  test("what begins with it comes first", () => expect(inserts("kind:d")).toEqual(["kind:demo", 'kind:"send mail"']));

  test("the word at the end is the one that is being typed", () => {
    expect([lastWord("a b"), lastWord("a "), lastWord('x cause:"demo: it'), lastWord('kind:"a b",c')]).toEqual([
      "b",
      "",
      'cause:"demo: it',
      'kind:"a b",c',
    ]);
  });
});
