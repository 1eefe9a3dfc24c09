import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { type Received, Receiver } from "./receiver.ts";
import { Server } from "./server.ts";
import { answering, HOPELESS, TIMES, troubles } from "./trouble.ts";

let receiver: Receiver;
let server: Server;
let api: Api;
test.beforeEach(async () => {
  receiver = await Receiver.start();
  server = await Server.start({
    env: {
      OUTBOUND_ALLOW: receiver.origin,
      MAIL_API_KEY: "re_secret",
      MAIL_API_URL: `${receiver.origin}/provider`,
      MAIL_FROM: "ops@example.com",
    },
  });
  api = new Api(server.url);
});
test.afterEach(async () => {
  await server.stop();
  await receiver.stop();
});

/** The path says which trouble; of a mail, the address that it goes to. */
const nameOf = ({ path, body }: Received): string =>
  path.startsWith("/provider") ? String(JSON.parse(body).to[0]).replace(/@.*/, "") : path.slice(1);
const named = (name: string): Received[] => receiver.received.filter((one) => nameOf(one) === name);
const counted = (prefix = "") =>
  Object.fromEntries(Object.keys(TIMES).map((name) => [name, named(prefix + name).length]));
/** With what key and body each was asked: one line where all its tries were the same. */
const sent = (name: string): string[] => [
  ...new Set(named(name).map(({ headers, body }) => `${headers["idempotency-key"]} ${body}`)),
];
const waited = ([first, second]: Received[]): number => (second?.begin ?? 0) - (first?.begin ?? 0);

test("C075: C077: a request by http_request ends by the table of answers, with one key and the same bytes on every try", async () => {
  test.setTimeout(150_000);
  receiver.answer = answering(troubles(receiver.origin), nameOf);
  const names = Object.keys(TIMES);
  const ids = await api.submitAll(
    names.map((name) => ({
      kind: "http_request",
      payload: { url: `${receiver.origin}/${name}`, json: { order: 42, name: "Zoë 😀" } },
    })),
  );
  const jobs = await Promise.all(ids.map((id) => api.until(id, ["done", "dead"], 120_000)));
  expect(counted()).toEqual(TIMES);
  expect(receiver.received.filter(({ path }) => path === "/elsewhere")).toEqual([]);
  for (const [index, name] of names.entries()) {
    const job = jobs[index] as (typeof jobs)[0];
    expect([name, job.state, job.attempt]).toEqual([name, HOPELESS.includes(name) ? "dead" : "done", TIMES[name]]);
    if (job.state === "done") expect(job.result).toEqual({ status: 200, body: "thanks" });
    expect([name, sent(name)]).toEqual([name, [`${job.id}/request {"order":42,"name":"Zoë 😀"}`]]);
  }
  expect(jobs[names.indexOf("loop")]?.lastError).toBe(
    `answered 302 to ${receiver.origin}/loop (redirects are not followed)`,
  );
  expect(jobs[names.indexOf("slow-body")]?.attempts.find(({ number }) => number === 1)).toMatchObject({
    outcome: "timed_out",
  });
  for (const name of ["later-seconds", "later-date"]) expect(waited(named(name))).toBeGreaterThan(14_500);
});

test("C089: an alert arrives over each channel in the end, whatever trouble the channel is in, or is given up by the table", async () => {
  test.setTimeout(180_000);
  const mailed = Object.entries(troubles(receiver.origin, '{"id":"mail-1"}'));
  const behaviours = Object.fromEntries(mailed.map(([name, one]) => [`mail-${name}`, one]));
  receiver.answer = answering({ ...troubles(receiver.origin), ...behaviours }, nameOf);
  const names = Object.keys(TIMES);
  for (const name of names) {
    const channels = { webhook: `${receiver.origin}/${name}`, email: `mail-${name}@example.com` };
    const response = await api.call("POST", "/alert-rules", { name, condition: "dead", kind: "demo", channels });
    expect(response.status).toBe(201);
  }
  const slack = { name: "slack", condition: "dead", kind: "demo", channels: { slack: `${receiver.origin}/slack` } };
  expect((await api.call("POST", "/alert-rules", slack)).status).toBe(201);
  await api.until(await api.submit({ kind: "demo", payload: { permanent: true } }), "dead");
  await server.tick();
  await expect.poll(async () => (await api.list({ kind: "alert" })).length).toBe(2 * names.length + 1);
  const open = async () =>
    (await api.list({ kind: "alert" })).filter(({ state }) => !/^(done|dead)$/.test(state)).length;
  await expect.poll(open, { timeout: 150_000, intervals: [500] }).toBe(0);

  expect([counted(), counted("mail-")]).toEqual([TIMES, TIMES]);
  for (const name of names) {
    expect([name, sent(name).length, sent(`mail-${name}`).length]).toEqual([name, 1, 1]);
  }
  const dead = (await api.list({ kind: "alert", view: "dead" })).map(({ label }) => label?.split(":")[0]);
  // Slack's answer is none of the table.
  expect(dead.sort()).toEqual([...HOPELESS.flatMap(() => ["email", "webhook"]), "slack"].sort());
  expect(JSON.parse(receiver.received.find(({ path }) => path === "/slack")?.body ?? "")).toEqual({
    text: expect.stringContaining("demo"),
  });
  // None of these deaths is told of.
  await server.tick();
  expect((await api.list({ kind: "alert" })).length).toBe(2 * names.length + 1);
});
