import { describe, expect, test } from "vitest";
import { CALL_BYTES, PAYLOAD_BYTES } from "./limits";
import { parseSubmissions, type Rejection, type Submission } from "./submission";

const accepted = (text: string): Submission[] => {
  const read = parseSubmissions(text);
  if ("status" in read) throw new Error(JSON.stringify(read));
  return read.submissions;
};
const rejected = (text: string): Rejection => {
  const read = parseSubmissions(text);
  if (!("status" in read)) throw new Error(`accepted: ${text.slice(0, 100)}`);
  return read;
};
const job = (fields: object) => JSON.stringify({ kind: "probe.ok", payload: {}, ...fields });
const paths = (text: string) => rejected(text).problems.map((problem) => problem.path);

describe("a submit call", () => {
  test("keeps each payload's own text", () => {
    const [one, two] = accepted(
      '[ {"kind":"a","payload": {"n" : 1.0 , "m":9007199254740993 } }, {"payload":null,"kind":"b"} ]',
    );
    expect(one).toMatchObject({ kind: "a", payloadText: '{"n" : 1.0 , "m":9007199254740993 }' });
    expect(two).toMatchObject({ kind: "b", payload: null, payloadText: "null" });
  });

  test("is one object or an array, and says which", () => {
    expect(parseSubmissions(job({}))).toMatchObject({ single: true });
    expect(parseSubmissions(`[${job({})}]`)).toMatchObject({ single: false });
  });

  test("takes all its fields", () => {
    const fields = { idempotencyKey: "k", delaySeconds: 0, priority: "high", maxAttempts: 1000 };
    expect(accepted(job(fields))[0]).toMatchObject(fields);
    expect(accepted(job({ runAt: "2026-12-01T10:00:00+05:30" }))[0]).toMatchObject({
      runAt: "2026-12-01T10:00:00+05:30",
    });
  });

  test.each([
    "",
    " ",
    "{",
    "null",
    "1",
    '"x"',
    "[]",
    "[1]",
    "{'kind':'a'}",
    '{"kind":"a","payload":{},}',
    '{"a":NaN}',
    `${job({})} x`,
  ])("C041: %j is refused", (text) => expect(rejected(text)).toMatchObject({ status: 400 }));

  test("C041: a field given twice is refused, however it is spelled", () => {
    expect(paths('{"kind":"probe.ok","kind":"send_email","payload":{}}')).toEqual(["kind"]);
    expect(paths('[{"kind":"probe.ok","k\\u0069nd":"send_email","payload":{}}]')).toEqual(["0.kind"]);
  });

  test.each([
    [{ kind: "" }, "kind"],
    [{ kind: 1 }, "kind"],
    [{ kind: "a".repeat(101) }, "kind"],
    [{ extra: 1 }, "extra"],
    [{ delay_seconds: 1 }, "delay_seconds"],
    [{ idempotencyKey: "" }, "idempotencyKey"],
    [{ idempotencyKey: "k".repeat(257) }, "idempotencyKey"],
    [{ delaySeconds: "60" }, "delaySeconds"],
    [{ delaySeconds: 1.5 }, "delaySeconds"],
    [{ delaySeconds: -1 }, "delaySeconds"],
    [{ delaySeconds: 366 * 86_400 + 1 }, "delaySeconds"],
    [{ runAt: "2026-12-01T10:00:00" }, "runAt"],
    [{ runAt: 1796119200 }, "runAt"],
    [{ runAt: "2026-12-01T10:00:00Z", delaySeconds: 1 }, "runAt"],
    [{ priority: "urgent" }, "priority"],
    [{ priority: -1 }, "priority"],
    [{ priority: 1.5 }, "priority"],
    [{ priority: 1e9 }, "priority"],
    [{ maxAttempts: 0 }, "maxAttempts"],
    [{ maxAttempts: -1 }, "maxAttempts"],
    [{ maxAttempts: 1.5 }, "maxAttempts"],
    [{ maxAttempts: "3" }, "maxAttempts"],
    [{ maxAttempts: 1000001 }, "maxAttempts"],
    [{ payload: undefined }, "payload"],
  ])("%o: the error is at %s", (fields, path) => expect(paths(job(fields))).toEqual([path]));

  test("half a character, a NUL or a line break in a key is refused: D1 would store another key", () => {
    for (const part of ["\\ud800", "\\u0000", "\\n"]) {
      expect(paths(`{"kind":"a","payload":{},"idempotencyKey":"a${part}b"}`)).toEqual(["idempotencyKey"]);
    }
    const [one] = accepted('{"kind":"a","payload":{},"idempotencyKey":"\\ud83d\\ude00"}');
    expect(one).toMatchObject({ idempotencyKey: "😀" });
  });

  test("every wrong job of an array is named", () => {
    expect(paths(`[${job({ priority: 1 })},${job({})},${job({ x: 1, maxAttempts: 0 })}]`)).toEqual([
      "0.priority",
      "2.maxAttempts",
      "2.x",
    ]);
  });

  test("a member named __proto__ is a field like any other", () => {
    expect(paths('{"kind":"a","payload":{},"__proto__":{"idempotencyKey":"x"}}')).toEqual(["__proto__"]);
    const [own] = accepted('{"kind":"a","payload":{"__proto__":{"admin":true}}}');
    expect(Object.keys((own as Submission).payload as object)).toEqual(["__proto__"]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test("200,000 fields are refused in a time that grows with their number only", () => {
    const before = Date.now();
    const fields = Array.from({ length: 200_000 }, (_, i) => `"${i.toString(36)}":1`).join(",");
    expect(rejected(`{${fields}}`)).toMatchObject({ status: 400 });
    expect(Date.now() - before).toBeLessThan(10_000);
  });
});

describe("limits", () => {
  const payload = (bytes: number) => `{"kind":"a","payload":"${"x".repeat(bytes - 2)}"}`;

  test("C040: a payload of 262,144 bytes is taken, one more is 413 and names the limit", () => {
    expect(accepted(payload(PAYLOAD_BYTES))).toHaveLength(1);
    expect(rejected(payload(PAYLOAD_BYTES + 1))).toMatchObject({
      status: 413,
      code: "too-large-payload",
      problems: [{ path: "payload", limit: 262_144 }],
    });
  });

  test("a call of 8 MB is taken, one more byte is 413", () => {
    const call = `[${Array(31).fill(payload(250_000)).join(",")}]`;
    expect(accepted(call + " ".repeat(CALL_BYTES - call.length))).toHaveLength(31);
    expect(rejected(call + " ".repeat(CALL_BYTES + 1 - call.length))).toMatchObject({
      status: 413,
      code: "too-large-call",
    });
  });

  test("1,000 jobs are taken, 1,001 are not", () => {
    expect(accepted(`[${Array(1000).fill(job({})).join(",")}]`)).toHaveLength(1000);
    expect(rejected(`[${Array(1001).fill(job({})).join(",")}]`)).toMatchObject({
      status: 413,
      code: "too-large-jobs",
      problems: [{ limit: 1000 }],
    });
  });

  const nested = (levels: number) => `{"kind":"a","payload":${"[".repeat(levels)}${"]".repeat(levels)}}`;

  test.each([50, 100])("C041: %i levels of nesting are taken, alone and in an array", (levels) => {
    expect(accepted(nested(levels))).toHaveLength(1);
    expect(accepted(`[${nested(levels)}]`)).toHaveLength(1);
  });

  test.each([101, 102, 5_000, 60_000])("C041: %i are refused, with the limit", (levels) => {
    for (const text of [nested(levels), `[${nested(levels)}]`]) {
      expect(rejected(text)).toMatchObject({ status: 400, code: "too-deep", problems: [{ limit: 100 }] });
    }
  });
});
