import { expect, test } from "vitest";
import { MASK } from "../secrets";
import { fieldsInAddress, submitAddress, withoutSecrets } from "./address";
import type { FormFields } from "./call";

const EMPTY: FormFields = {
  kind: "k",
  payload: "{}",
  delaySeconds: "",
  runAt: "",
  priority: "normal",
  maxAttempts: "",
  expiresAt: "",
  groupKey: "",
  idempotencyKey: "",
};
const rules = { secrets: ["headers.authorization"] };
const paramsOf = (address: string) => new URL(address, "http://x").searchParams;

test("what stands in the form stands in its address, and comes back from it", () => {
  const fields = { ...EMPTY, payload: '{"a": "ä & b"}', priority: "high", delaySeconds: "5" };
  const params = paramsOf(submitAddress({ kind: "k", form: "f", as: "json", from: "j" }, fields));
  expect(Object.fromEntries(params)).toEqual({
    kind: "k",
    from: "j",
    as: "json",
    payload: fields.payload,
    priority: "high",
    delaySeconds: "5",
    form: "f",
  });
  expect(fieldsInAddress(params, EMPTY)).toEqual(fields);
});

test("no secret does, not even while it is being typed; nor what is too long", () => {
  const secret = '{"headers": {"Authorization": "hush"}}';
  const said = (payload: string) => paramsOf(submitAddress({ kind: "k" }, { ...EMPTY, payload }, rules)).get("payload");
  expect(said(secret)).toBe(secret.replace("hush", MASK));
  expect(said(secret.slice(0, -1))).toBeNull();
  expect(withoutSecrets(secret.slice(0, -1), rules)).toBeNull();
  expect(withoutSecrets(secret.slice(0, -1), {})).toBe(secret.slice(0, -1));
  expect(said(JSON.stringify("x".repeat(5_000)))).toBeNull();
});
