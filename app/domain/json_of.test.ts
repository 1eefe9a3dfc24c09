import { expect, test } from "vitest";
import { jsonOf } from "./json_of";

const holding = (value: unknown) => ({ kind: "demo", payload: [{ x: value }] });

test.each([
  [{ a: [1, "ü", null, true, { b: undefined }] }, '{"a":[1,"ü",null,true,{}]}'],
  [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  [{ runAt: new Date(0) }, '{"runAt":"1970-01-01T00:00:00.000Z"}'],
  ["text", '"text"'],
])("%#: what is JSON is told as such, a date as its text", (value, text) => {
  expect(jsonOf(value)).toEqual({ ok: true, text });
});

const round: Record<string, unknown> = {};
round.self = round;
let deep: unknown = 1;
for (let n = 0; n < 100_000; n++) deep = [deep];

test.each([
  [holding(Number.NaN), '"x" is NaN, which is no JSON'],
  [holding(1n), '"x" is a bigint, which is no JSON'],
  [holding(new Map()), '"x" is a Map, which is no JSON'],
  [holding(new Uint8Array(2)), '"x" is a Uint8Array, which is no JSON'],
  [holding(new Date(Number.NaN)), '"x" is no date, which is no JSON'],
  [holding([undefined]), '"0" is undefined, which is no JSON'],
  [() => 1, "this is a function, which is no JSON"],
  [undefined, "there is no value"],
  [round, "holds itself"],
  [deep, "is nested too deep"],
])("%#: what JSON would change, or cannot tell, is refused", (value, message) => {
  expect(jsonOf(value)).toEqual({ ok: false, message });
});
