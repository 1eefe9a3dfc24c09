import { expect, test } from "vitest";
import { problem, problemOf } from "./problem";

test("a problem has the members of RFC 9457, a code for programs, and what else it was given", () => {
  expect(problem(409, "not-requeued", "the job runs", { state: "processing" })).toEqual({
    type: "about:blank",
    title: "Conflict",
    status: 409,
    detail: "the job runs",
    code: "not-requeued",
    errors: [],
    state: "processing",
  });
});

test("refused input names the place, the message and the limit", () => {
  const problems = [
    { path: "0.payload", message: "the payload is 9 bytes, at most 8 are taken", limit: 8 },
    { path: "1.kind", message: "no" },
  ];
  expect(problemOf({ status: 413, code: "too-large-payload", problems })).toEqual({
    type: "about:blank",
    title: "Content Too Large",
    status: 413,
    detail: "0.payload: the payload is 9 bytes, at most 8 are taken (and 1 more)",
    code: "too-large-payload",
    errors: problems,
  });
  expect(problemOf({ status: 400, code: "x", problems: [{ path: "", message: "not JSON" }] }).detail).toBe("not JSON");
});

test("a million errors are told, and a hundred shown", () => {
  const problems = Array.from({ length: 1_000_000 }, (_, i) => ({ path: `${i}`, message: "no" }));
  const document = problemOf({ status: 400, code: "invalid", problems });
  expect(document.errors).toHaveLength(100);
  expect(document.detail).toBe("0: no (and 999999 more)");
});
