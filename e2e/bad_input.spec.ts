import { expect, test } from "./fixtures.ts";
import { raw } from "./raw.ts";
import { addresses } from "./routes.ts";
import { Server } from "./server.ts";

let server: Server;
test.beforeAll(async () => {
  server = await Server.start();
});
test.afterAll(() => server.stop());

const IDS = ["%00", "01900000-0000-7000-8000-00000000abcd"];
const FIELDS = [
  ...[
    "id",
    "name",
    "type",
    "url",
    "path",
    "headers",
    "secret",
    "made",
    "form",
    "when",
    "cron",
    "timeZone",
    "everyMinutes",
  ],
  ...[
    "kind",
    "payload",
    "priority",
    "missed",
    "version",
    "back",
    "dailyLimit",
    "email",
    "selector",
    "condition",
    "action",
  ],
  ...["ids", "confirm", "view", "cause", "delaySeconds", "runAt", "generation", "expected"],
];
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const all = (value: string) => new URLSearchParams(FIELDS.map((name) => [name, value])).toString();
/** Type and body of what no form and no program of ours sends. */
const BODIES: [string, string][] = [
  [JSON_TYPE, "{"],
  [JSON_TYPE, '{"__proto__":{},"reason":"\\ud800\\u0000"}'],
  ["multipart/form-data; boundary=x", "--x"],
  [FORM, all("9".repeat(400))],
  [FORM, all("\0\r\nX: 1")],
];

test("whatever is sent to whichever address, the answer says what is wrong: none is an error of ours", async () => {
  test.setTimeout(240_000);
  const { paths } = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const ours: [string, string][] = [
    ...(await addresses()).flatMap((path): [string, string][] => [
      ["GET", path],
      ["POST", path],
    ]),
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path]),
    ),
  ];
  const errors: string[] = [];
  const ask = async (method: string, path: string, type?: string, body?: string) => {
    const headers: [string, string][] = [
      ["Origin", server.url],
      ...(type ? [["Content-Type", type] as [string, string]] : []),
    ];
    const { status, body: text } = await raw(server.url, method, path, headers, body);
    if (status >= 500) errors.push(`${method} ${path} ${type} ${body?.slice(0, 40)}: ${status} ${text.slice(0, 80)}`);
  };
  for (const [method, path] of ours) {
    for (const id of /[:{]/.test(path) ? IDS : ["x"]) {
      const address = path.replace(/\{\w+\}|:\w+\??/g, id);
      if (method === "GET") await ask(method, `${address}?cursor=%00&before=%FF&view=x&q=kind:`);
      else await Promise.all([undefined, ...BODIES].map((one) => ask(method, address, one?.[0], one?.[1])));
    }
  }
  expect(ours.length).toBeGreaterThan(150);
  expect(errors).toEqual([]);
});
