import { beforeEach, expect, test } from "vitest";
import { registryOf } from "~/kinds/registry";
import { clean, World } from "~/testing/world";
import { alert } from "./alert";

beforeEach(clean);

const message = {
  type: "alert.opened",
  title: "jobs die: demo: <svg onload=alert(3)>\nBcc: a@evil.example",
  text: "3 dead jobs in the last 15 minutes: more than 0\nRule: <script>alert(4)</script> & co",
  links: [{ label: "The list", url: "https://redrive.example/dead" }],
  at: "2026-12-01T10:00:00.000Z",
  data: { count: 3 },
};

function worldOf() {
  const world = new World(registryOf(alert));
  const bodies: unknown[] = [];
  world.fetch = async (_url, init) => {
    bodies.push(JSON.parse(init?.body as string));
    return new Response();
  };
  return { world, bodies };
}

test("C054: what is told over Slack is text: nothing in it is markup or a link", async () => {
  const { world, bodies } = worldOf();
  await world.submit({
    kind: "alert",
    payload: { channel: { type: "slack", to: "https://hooks.slack.com/x" }, message },
  });
  await world.deliver();
  expect(bodies).toEqual([
    {
      text: "*jobs die: demo: &lt;svg onload=alert(3)&gt; Bcc: a@evil.example*\n3 dead jobs in the last 15 minutes: more than 0\nRule: &lt;script&gt;alert(4)&lt;/script&gt; &amp; co\n<https://redrive.example/dead|The list>",
    },
  ]);
});

test("C054: a mail is plain text, with its subject on one line and one recipient", async () => {
  const { world } = worldOf();
  await world.submit({ kind: "alert", payload: { channel: { type: "email", to: "ops@example.com" }, message } });
  await world.deliver();
  const [mail] = await world.sql<Record<string, string>>("SELECT * FROM outbox_mail");
  expect(mail).toMatchObject({
    subject: "jobs die: demo: <svg onload=alert(3)> Bcc: a@evil.example",
    text: `${message.text}\n\nThe list: https://redrive.example/dead\n`,
    html: null,
  });
  expect(JSON.parse(mail?.recipients as string)).toMatchObject({ to: [{ email: "ops@example.com" }], cc: [] });
});

test("a webhook gets all of it as JSON", async () => {
  const { world, bodies } = worldOf();
  await world.submit({ kind: "alert", payload: { channel: { type: "webhook", to: "https://ops.example/" }, message } });
  await world.deliver();
  const { title, text, links } = message;
  expect(bodies).toEqual([{ type: "alert.opened", timestamp: message.at, data: { title, text, links, count: 3 } }]);
});

test("to an address that no job may call it is refused when it is submitted", async () => {
  const { world } = worldOf();
  const payload = { channel: { type: "webhook", to: "http://10.0.0.1/" }, message };
  await expect(world.submit({ kind: "alert", payload })).rejects.toThrow("must be a public https address");
});
