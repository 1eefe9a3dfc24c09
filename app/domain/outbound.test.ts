import { expect, test } from "vitest";
import { outboundProblem } from "./outbound";

const nowhere = { allow: [], ownHosts: [] };

const REFUSED = [
  "http://127.0.0.1/",
  "http://localhost:8787/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://169.254.169.254/latest",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://127.1/",
  "http://0/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "http://user:pw@example.com/",
  "example.com",
  "",
];

// The same hosts are refused for what they are, not only for their scheme.
const REFUSED_OVER_HTTPS = REFUSED.filter((url) => url.startsWith("http:")).map((url) =>
  url.replace("http:", "https:"),
);

for (const url of [
  ...REFUSED,
  ...REFUSED_OVER_HTTPS,
  "https://localhost./",
  "https://localhost../",
  "https://db.internal../",
  "https://db.internal/",
  "https://printer/",
  "http://example.com/",
]) {
  test(`C069: a job must not call ${JSON.stringify(url)}`, () => {
    expect(outboundProblem(url, nowhere)).toMatch(/^must be a public https address/);
  });
}

for (const url of [
  "https://example.com/hook?x=1",
  "https://example.com:8443/h",
  "https://xn--bcher-kva.example/",
  "https://10.example.com/",
]) {
  test(`C069: a job may call ${url}`, () => {
    expect(outboundProblem(url, nowhere)).toBeNull();
  });
}

test("this deployment's own hosts are refused, others are not", () => {
  const rules = { allow: [], ownHosts: ["jobs.example.com"] };
  expect(outboundProblem("https://jobs.example.com/api/v1/jobs", rules)).toContain("this deployment");
  expect(outboundProblem("https://JOBS.example.com./", rules)).toContain("this deployment");
  expect(outboundProblem("https://other.example.com/", rules)).toBeNull();
});

test("an allowed origin is allowed whole and alone: not its other ports, not with a password in it", () => {
  const rules = { allow: ["http://127.0.0.1:9000"], ownHosts: [] };
  expect(outboundProblem("http://127.0.0.1:9000/any?path", rules)).toBeNull();
  expect(outboundProblem("http://127.0.0.1:9001/", rules)).not.toBeNull();
  expect(outboundProblem("https://127.0.0.1:9000/", rules)).not.toBeNull();
  expect(outboundProblem("http://a:b@127.0.0.1:9000/", rules)).not.toBeNull();
});
