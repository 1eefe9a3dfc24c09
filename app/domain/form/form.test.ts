import { describe, expect, test } from "vitest";
import { z } from "zod";
import { canonicalJson } from "../json";
import { draftOf, payloadOf, withItem, withoutItem } from "./draft";
import { type JsonSchema, specOf } from "./spec";

const schema = z.strictObject({
  name: z.string().max(50),
  note: z.string().optional().describe("for people"),
  n: z.int().min(1).max(9).default(3),
  on: z.boolean().optional(),
  mode: z.enum(["a", "b"]).optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  day: z.iso.date().optional(),
  file: z.uuidv7().optional().meta({ is: "file" }),
  inner: z.strictObject({ x: z.number(), y: z.string().max(3).optional() }).optional(),
  items: z.array(z.strictObject({ id: z.string().max(9), tags: z.array(z.string().max(9)).optional() })),
  headers: z.record(z.string(), z.string()).optional(),
  to: z.union([z.string(), z.array(z.string())]).optional(),
  any: z.unknown().optional(),
  loose: z.looseObject({}).optional(),
});
const spec = specOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema);
const draws = Object.fromEntries((spec.fields ?? []).map(([name, field]) => [name, field.draws]));

test("each type of a schema has its field, and what has none is JSON in one of its own", () => {
  expect(draws).toEqual({
    name: "line",
    note: "text",
    n: "number",
    on: "yes-no",
    mode: "choice",
    at: "time",
    day: "date",
    file: "file",
    inner: "object",
    items: "list",
    headers: "map",
    to: "json",
    any: "json",
    loose: "json",
  });
  const field = (name: string) => spec.fields?.find(([one]) => one === name)?.[1];
  expect(field("n")).toMatchObject({ required: false, hint: "1 to 9; 3 where left out." });
  expect(field("note")).toMatchObject({ required: false, hint: "For people." });
  expect(field("items")).toMatchObject({ required: true, item: { draws: "object" } });
  expect(field("mode")?.options).toEqual(["a", "b"]);
});

describe("a payload goes through the form and comes back the same", () => {
  test.each([
    `{"name":"x","items":[]}`,
    `{"name":"","items":[{"id":"1","tags":["a",""]},{"id":"2"}],"n":3}`,
    `{"name":"x","items":[],"any":{"big":9007199254740993,"f":1.0},"inner":{"x":12345678901234567890.5}}`,
    `{"name":"x","items":[],"headers":{"a.b":"1","c":"\\"q\\""},"to":["a"],"loose":{"k":[]}}`,
    `{"name":"x","items":[],"to":"ana@example.com","on":false,"mode":"b","note":"two\\nlines"}`,
    `{"name":"x","items":[],"to":"[1]"}`,
    `{"name":"x","items":[],"at":"2026-12-01T10:00:00+02:00","day":"2026-12-01","any":null}`,
  ])("%s", (text) => {
    const draft = draftOf(spec, text);
    expect(draft).not.toBeNull();
    expect(canonicalJson(payloadOf(spec, draft ?? {}).text)).toBe(canonicalJson(text));
  });

  test.each([
    `{"name":"x","items":[],"unknown":1}`,
    `{"name":1,"items":[]}`,
    `{"name":"two\\nlines","items":[]}`,
    `{"name":"x","items":{}}`,
    `{"name":"x","items":[],"mode":"c"}`,
    `{"name":"x","items":[],"headers":{"a":1}}`,
    `[]`,
    `{"name"`,
  ])("or is left to the JSON field, where the form has no room for it: %s", (text) => {
    expect(draftOf(spec, text)).toBeNull();
  });
});

test("what is empty is left out, unless it must be there; what is wrong goes on as it was typed, to be told", () => {
  expect(payloadOf(spec, {}).text).toBe(`{"name": "", "items": []}`);
  const typed = { name: "x", n: "many", at: "2026-12-01T10:00", "headers.#": "2", "headers.1.name": "a" };
  expect(JSON.parse(payloadOf(spec, typed).text)).toEqual({
    name: "x",
    n: "many",
    at: "2026-12-01T10:00:00Z",
    items: [],
    headers: { a: "" },
  });
  expect(payloadOf(spec, { name: "x", any: "{", to: "[1" }).problems).toEqual([
    { path: "payload.to", message: expect.stringContaining("is not JSON") },
    { path: "payload.any", message: expect.stringContaining("is not JSON") },
  ]);
});

test("items are added at the end and taken from anywhere, with all that is in them", () => {
  const draft = draftOf(spec, `{"name":"x","items":[{"id":"1","tags":["t"]},{"id":"2","tags":["u","v"]},{"id":"3"}]}`);
  const items = (next: ReturnType<typeof withItem>) => JSON.parse(payloadOf(spec, next).text).items;
  expect(items(withoutItem(draft ?? {}, "items.0"))).toEqual([{ id: "2", tags: ["u", "v"] }, { id: "3" }]);
  expect(items(withoutItem(draft ?? {}, "items.1.tags.0"))[1]).toEqual({ id: "2", tags: ["v"] });
  expect(items(withItem(draft ?? {}, "items"))).toHaveLength(4);
  expect(items(withItem(draft ?? {}, "items.2.tags"))[2]).toEqual({ id: "3", tags: [""] });
  expect(items({ ...draft, "items.#": "99999999" })).toHaveLength(1_000);
});
