import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newSecret, secretProblem, webhookHeaders } from "./signature";
import { bodyOf } from "./webhooks";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const BODY = '{"type":"ping","data":{}}';

test("C073: the two agreed signatures, byte for byte", () => {
  const signature = (seconds: number) => webhookHeaders("msg_2026_02", seconds * 1000, BODY, [SECRET]);
  expect(BODY).toHaveLength(25);
  expect(bodyOf("standard", { type: "ping", data: {}, dataText: "{}" })).toBe(BODY);
  expect(signature(1796119200)).toEqual({
    "webhook-id": "msg_2026_02",
    "webhook-timestamp": "1796119200",
    "webhook-signature": "v1,y+p2GPHzhD0gbW1a6vwyUHZXve5QXXyYSYqcQgvqCn8=",
  });
  expect(signature(1796119260)["webhook-signature"]).toBe("v1,VswDRnvJtmyKLnm8UxwgQNK1dRB3oYCJyek98Ww8k0I=");
});

test("C073: the signature is over the bytes of UTF-8, as platform crypto computes it, and no other body passes", async () => {
  const data = { name: "Zoë 😀", odd: "\ud800" };
  const body = bodyOf("standard", { type: "user.created", data, dataText: JSON.stringify(data) });
  const nowMs = Date.now();
  const headers = webhookHeaders("msg_x_0", nowMs, body, [SECRET]);
  const signed = new TextEncoder().encode(`msg_x_0.${Math.floor(nowMs / 1000)}.${body}`);
  const raw = new TextEncoder().encode("0123456789abcdef0123456789abcdef");
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  expect(headers["webhook-signature"]).toBe(`v1,${btoa(String.fromCharCode(...mac))}`);
  expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow("No matching signature");
});

test("with two secrets either holder can verify, with none there is no signature", () => {
  const other = newSecret();
  const headers = webhookHeaders("msg_x_0", Date.now(), BODY, [SECRET, other]);
  for (const secret of [SECRET, other])
    expect(new Webhook(secret).verify(BODY, headers)).toEqual({ type: "ping", data: {} });
  expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow("No matching signature");
  expect(Object.keys(webhookHeaders("msg_x_0", 0, BODY, []))).toEqual(["webhook-id", "webhook-timestamp"]);
});

test("a new secret is one that the rule takes, and never the same", () => {
  const secrets = Array.from({ length: 20 }, () => newSecret());
  expect(secrets.map(secretProblem)).toEqual(Array(20).fill(null));
  expect(new Set(secrets).size).toBe(20);
});

test("what is no secret is refused", () => {
  const of = (bytes: number) => `whsec_${btoa("x".repeat(bytes))}`;
  for (const secret of [SECRET, of(24), of(64)]) expect([secret, secretProblem(secret)]).toEqual([secret, null]);
  for (const secret of ["", "whsec_", SECRET.slice(6), of(23), of(65), "whsec_no base64 at all!!", `${SECRET}x`]) {
    expect([secret, secretProblem(secret)]).toEqual([secret, expect.stringContaining("24 to 64 bytes in base64")]);
  }
});
