import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineKind } from "~/kinds/define";
import { httpRequest } from "~/kinds/http_request";
import { registryOf } from "~/kinds/registry";
import { clean, World } from "~/testing/world";

beforeEach(clean);

const token = "abcdefghijklmnopqrstuvwxyz0123456789";
const cutting = defineKind({
  name: "cutting",
  title: "cutting",
  description: "cutting",
  input: z.strictObject({ key: z.string() }),
  label: ({ key }) => `key ${key.slice(0, 30)}`,
  usualMs: 10,
  timeoutMs: 30_000,
  secrets: ["key"],
  run: async () => null,
});

async function labelOf(kind: string, payload: unknown) {
  const world = new World(registryOf(httpRequest, cutting));
  const [id] = await world.submit({ kind, payload });
  return (await world.job(id as string)).label;
}

test("a label is cut at 200 characters, and says so", async () => {
  const url = "https://api.example/".padEnd(195, "x");
  expect(await labelOf("http_request", { url })).toBe(`POST ${url}`);
  expect(await labelOf("http_request", { url: `${url}y` })).toBe(`POST ${url.slice(0, 194)}…`);
});

test("a secret is hidden in a label before that is cut", async () => {
  const slack = `https://hooks.slack.com/services/T0/B0/${token}?pad=${"x".repeat(200)}`;
  expect(await labelOf("http_request", { url: slack })).toBe("POST ••••••••");
  // The same word as in a header, where the label ends.
  const url = `${"https://api.example/".padEnd(180, "x")}${token}`;
  expect(await labelOf("http_request", { url, headers: { authorization: token } })).toBe(
    `POST ${url.slice(0, 180)}••••••••`,
  );
});

test("a kind that cuts a secret in its label never sees one", async () => {
  expect(await labelOf("cutting", { key: token })).toBe("key ••••••••");
});
