import { RouterContextProvider } from "react-router";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type App, appContext } from "~/cloudflare";
import { causeOf } from "~/domain/cause";
import { PermanentError } from "~/domain/errors";
import { neededFor } from "~/domain/people/needed";
import { covers, type Rights } from "~/domain/people/roles";
import { MASK } from "~/domain/secrets";
import { defineKind, type JobContext } from "~/kinds/define";
import { registry } from "~/kinds/registry";
import routes from "~/routes";
import { submitForm } from "~/routes/support/form_state.server";
import { Receivers, saveEndpoint } from "~/testing/receivers";
import { clean, World } from "~/testing/world";
import { handleApi } from "../api";
import { clientOf } from "./testing";

const WORD = "of-one-patient";
const HIDDEN: Rights = { role: "admin", payloads: false };
const SHOWN: Rights = { role: "admin", payloads: true };
const ORIGIN = "https://redrive.example";

const CAUSE = encodeURIComponent(causeOf("dying", "no use"));

const telling = defineKind({
  name: "telling",
  title: "Telling",
  description: "Repeats what it is given wherever it can.",
  input: z.looseObject({}),
  usualMs: 10,
  timeoutMs: 1_000,
  async run(_input: unknown, ctx: JobContext) {
    ctx.log(`log ${WORD}`);
    await ctx.once("look", async () => ({ effect: WORD }));
    return { result: WORD };
  },
} as never);

const dying = defineKind({
  ...telling,
  name: "dying",
  async run(_input: unknown, ctx: JobContext) {
    ctx.log(`log ${WORD}`);
    throw new PermanentError("no use");
  },
} as never);

let world: World;
let ids: string[];
beforeEach(async () => {
  await clean();
  world = new World(new Map([...registry, ["telling", telling], ["dying", dying]]));
  new Receivers(world).answer = () => new Response(`answer ${WORD}`, { status: 400 });
  const endpoint = await saveEndpoint(world);
  const mail = { to: [{ email: "bob@example.com" }], subject: "Hello", text: WORD, html: `<p>${WORD}</p>` };
  const jobs = await world.submit(
    { kind: "telling", payload: { word: WORD } },
    { kind: "webhook_fanout", payload: { type: "ping", data: { word: WORD }, endpoints: [{ id: endpoint }] } },
    { kind: "send_email", payload: mail },
    { kind: "dying", payload: {} },
  );
  for (const lane of ["normal", "long", "high"] as const) await world.deliver(lane);
  await world.sql(
    "INSERT INTO dead_letters (message_id, queue, at, body, fate) VALUES ('m', 'redrive-normal', ?, ?, 'unreadable')",
    world.now,
    JSON.stringify({ foreign: WORD }),
  );
  const api = clientOf(world);
  const schedule = { name: "hourly", everyMinutes: 60, kind: "telling", payload: { word: WORD } };
  const { id } = (await api.post("/schedules", schedule)).body;
  ids = [...jobs, endpoint, id, "1", CAUSE];
});

const appFor = (rights: Rights): App => ({
  engine: world.invocation().engine,
  identity: { name: "ann", how: "token", ...rights },
  local: false,
  adminToken: true,
  nonce: "n",
});
const filled = (path: string) =>
  /[:{]/.test(path)
    ? ids.map((id) => path.replace(/:\w+\??|\{\w+\}/g, id).replace("*", "x"))
    : [path.replace("*", "x")];

async function told(rights: Rights, path: string): Promise<string> {
  const app = appFor(rights);
  return (await world.until(handleApi(new Request(ORIGIN + path), app))).text();
}

type Entry = { path?: string; index?: boolean; file: string };
const modules = import.meta.glob<{ loader?: (args: never) => unknown }>(
  ["../../app/routes/*.{ts,tsx}", "!../../app/routes/*.test.ts"],
  { eager: true },
);

/** What a page is made of: all that its loader sends. */
async function read(rights: Rights, file: string, path: string, pattern: string): Promise<string> {
  const context = new RouterContextProvider();
  context.set(appContext, appFor(rights));
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const values = new RegExp(`^/${pattern.replace(/:\w+/g, "([^/]+)")}$`).exec(path)?.slice(1) ?? [];
  const params = Object.fromEntries(names.map((name, n) => [name, decodeURIComponent(values[n] ?? "")]));
  const args = { request: new Request(ORIGIN + path), params, context } as never;
  try {
    const sent = await world.until(Promise.resolve(modules[`../../app/${file}`]?.loader?.(args)));
    return sent instanceof Response ? await sent.text() : JSON.stringify(sent ?? null);
  } catch (thrown) {
    return thrown instanceof Response ? await thrown.text() : JSON.stringify(thrown);
  }
}

async function everything(rights: Rights) {
  const document = JSON.parse(await told(SHOWN, "/api/v1/openapi.json")) as { paths: Record<string, { get?: object }> };
  const calls = Object.entries(document.paths).flatMap(([path, { get }]) => (get ? filled(path) : []));
  const pages = ((await routes) as Entry[]).flatMap(({ path = "", file }) =>
    filled(`/${path}`).map((at) => ({ at, file, pattern: path })),
  );
  const texts: [at: string, text: string][] = [];
  for (const path of calls) {
    if (covers(rights, neededFor("GET", path))) texts.push([path, await told(rights, path)]);
  }
  for (const { at, file, pattern } of pages) {
    if (covers(rights, neededFor("GET", at))) texts.push([at, await read(rights, file, at, pattern)]);
  }
  return texts.filter(([, text]) => text.includes(WORD)).map(([at]) => at);
}

test("no page, call or file tells what jobs carry to whoever may not see payloads, whatever their role", async () => {
  expect(await everything(HIDDEN)).toEqual([]);
  const [telling = "", fanout = ""] = ids;
  const cause = JSON.parse(await told(HIDDEN, `/api/v1/causes/${CAUSE}`));
  expect(cause.example.attempt).toMatchObject({ error: "no use", log: MASK });
  const job = JSON.parse(await told(HIDDEN, `/api/v1/jobs/${telling}`));
  expect(job).toMatchObject({ payload: MASK, payloadText: `"${MASK}"`, result: MASK, label: null });
  expect(job.attempts[0].log).toBe(MASK);
  expect(job.effects).toEqual([expect.objectContaining({ name: "look", result: MASK })]);
  expect(JSON.parse(await told(HIDDEN, `/api/v1/jobs/${fanout}`)).fanout.deliveries[0].answer).toBe(MASK);
});

test("whoever may see payloads finds it in every one of these places", async () => {
  const [telling, fanout, mail, dying, endpoint, schedule] = ids;
  expect((await everything(SHOWN)).sort()).toEqual(
    [
      ...[telling, fanout, mail].flatMap((id) => [`/api/v1/jobs/${id}`, `/jobs/${id}`, `/jobs/${id}/payload`]),
      `/api/v1/jobs/${dying}`,
      `/jobs/${dying}`,
      `/api/v1/causes/${CAUSE}`,
      `/causes/${CAUSE}`,
      `/api/v1/endpoints/${endpoint}`,
      `/endpoints/${endpoint}`,
      `/api/v1/schedules/${schedule}`,
      `/schedules/${schedule}`,
      `/schedules/${schedule}/edit`,
      "/api/v1/dead-letters",
      "/dead/letters",
      "/mail/1",
      "/mail/1/html",
    ].sort(),
  );
});

test("the list of mails tells whoever may not see payloads what labels tell, and nothing more", async () => {
  const people = { to: ["bob@example.com", { email: "eve@example.com", name: "Eve" }], cc: "dan@example.com" };
  await world.submit({
    kind: "send_email",
    payload: { ...people, from: { email: "shop@example.com", name: "Shop" }, subject: "Hello", text: WORD },
  });
  await world.drain();
  const list = async (rights: Rights) => [
    JSON.parse(await told(rights, "/api/v1/mail?limit=1")).mails[0],
    JSON.parse(await read(rights, "routes/mailbox.tsx", "/mail", "mail")).page.mails[0],
  ];
  const masked = { email: MASK };
  for (const mail of await list(HIDDEN)) {
    const shown = { to: [{ email: "bob@example.com" }, masked], cc: [masked], from: masked, subject: "Hello" };
    expect(mail).toEqual({ ...mail, ...shown });
  }
  for (const mail of await list(SHOWN)) {
    const [bob, eve] = people.to;
    expect(mail).toMatchObject({ to: [{ email: bob }, eve], cc: [{ email: people.cc }], from: { name: "Shop" } });
  }
  await world.sql("UPDATE jobs SET label = 'sign-up'");
  for (const mail of await list(HIDDEN)) expect(mail).toMatchObject({ to: [masked, masked], subject: MASK });
});

test("no search finds a job by what is in its payload", async () => {
  for (const rights of [HIDDEN, SHOWN]) {
    const found = JSON.parse(await told(rights, `/api/v1/jobs?q=${WORD}`));
    expect(found.jobs).toEqual([]);
  }
});

test("nobody makes a job of another one unseen: neither the form nor what it sends is taken", async () => {
  const [telling = ""] = ids;
  const fields = { kind: "telling", form: world.newId(), as: "json", payload: `"${MASK}"`, priority: "normal" };
  const send = (rights: Rights, more: object) =>
    world.until(
      submitForm(
        new Request(`${ORIGIN}/submit`, { method: "POST", body: new URLSearchParams({ ...fields, ...more }) }),
        appFor(rights),
      ),
    );
  const jobs = () => world.sql("SELECT id FROM jobs");
  const before = await jobs();
  await expect(send(HIDDEN, { from: telling })).rejects.toMatchObject({ init: { status: 403 } });
  const form = `/submit?from=${telling}&form=${fields.form}`;
  expect(await read(HIDDEN, "routes/submit.tsx", form, "submit")).toContain("payloads-hidden");
  expect(await jobs()).toEqual(before);
  expect(await read(SHOWN, "routes/submit.tsx", form, "submit")).toContain(WORD);
  await send(SHOWN, { from: telling, payload: "{}" });
  await send(HIDDEN, { payload: "{}", form: world.newId() });
  expect(await jobs()).toHaveLength(before.length + 2);
});

test("what one reader's browser has kept is not taken for another's", async () => {
  const path = `/api/v1/jobs/${ids[0]}`;
  const etagOf = async (rights: Rights) =>
    (await world.until(handleApi(new Request(ORIGIN + path), appFor(rights)))).headers.get("ETag") as string;
  const shown = await etagOf(SHOWN);
  const ask = async (rights: Rights) =>
    (await world.until(handleApi(new Request(ORIGIN + path, { headers: { "If-None-Match": shown } }), appFor(rights))))
      .status;
  expect([await ask(SHOWN), await ask(HIDDEN)]).toEqual([304, 200]);
});
