import { expect, test } from "vitest";
import { parseSubmissions } from "../submission";
import { callText, type FormFields, fieldsOf } from "./call";

const form = (over: Partial<FormFields>): FormFields => ({
  kind: "demo",
  payload: "{}",
  delaySeconds: "",
  runAt: "",
  priority: "normal",
  maxAttempts: "",
  idempotencyKey: "",
  expiresAt: "",
  groupKey: "",
  ...over,
});
const pathsOf = (fields: Partial<FormFields>) => {
  const parsed = parseSubmissions(callText(form(fields)));
  return "status" in parsed ? parsed.problems.map((problem) => problem.path) : [];
};

test("what goes without saying is left out", () => {
  expect(callText(form({}))).toBe('{"kind": "demo", "payload": {}}');
});

test("all fields make a call that the API takes", () => {
  const call = callText(
    form({
      delaySeconds: "060",
      priority: "high",
      maxAttempts: "7",
      expiresAt: "2026-12-01T10:00",
      groupKey: "g",
      idempotencyKey: 'a"b',
    }),
  );
  expect(JSON.parse(call)).toEqual({
    kind: "demo",
    payload: {},
    delaySeconds: 60,
    priority: "high",
    maxAttempts: 7,
    expiresAt: "2026-12-01T10:00:00Z",
    groupKey: "g",
    idempotencyKey: 'a"b',
  });
  expect("status" in parseSubmissions(call)).toBe(false);
});

test("the payload keeps its own text, with the line ends that were typed", () => {
  expect(callText(form({ payload: '{\r\n  "n": 9007199254740993\r\n}\r\n' }))).toBe(
    '{"kind": "demo", "payload": {\n  "n": 9007199254740993\n}}',
  );
});

test("C044: a time field is UTC, with or without seconds; a full time stays as it is", () => {
  expect(JSON.parse(callText(form({ runAt: "2026-12-01T10:00" }))).runAt).toBe("2026-12-01T10:00:00Z");
  expect(JSON.parse(callText(form({ runAt: "2026-12-01T10:00:30" }))).runAt).toBe("2026-12-01T10:00:30Z");
  expect(JSON.parse(callText(form({ runAt: "2026-12-01T10:00:00+05:30" }))).runAt).toBe("2026-12-01T10:00:00+05:30");
});

test("what is wrong in a field is told of that field", () => {
  expect(pathsOf({ delaySeconds: "1.5" })).toEqual(["delaySeconds"]);
  expect(pathsOf({ delaySeconds: "soon", maxAttempts: "0" })).toEqual(["delaySeconds", "maxAttempts"]);
  expect(pathsOf({ runAt: "tomorrow" })).toEqual(["runAt"]);
  expect(pathsOf({ delaySeconds: "1", runAt: "2026-12-01T10:00" })).toEqual(["runAt"]);
});

test("fields that a form does not send are empty", () => {
  expect(fieldsOf(new URLSearchParams("kind=demo&x=1"))).toEqual({ ...form({}), payload: "", priority: "" });
});
