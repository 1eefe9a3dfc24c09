import { expect, it } from "vitest";
import { secured } from "./headers";

const url = new URL("https://redrive.example/mail/1/html");
const policyOf = (own?: string) =>
  secured(new Response("", { headers: own ? { "Content-Security-Policy": own } : {} }), url, "n").headers;

it("a sandboxed document keeps its own policy, and our own pages may frame it", () => {
  const headers = policyOf("sandbox; default-src 'none'");
  expect(headers.get("Content-Security-Policy")).toBe("sandbox; default-src 'none'");
  expect(headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
});

it("no other answer chooses its policy, or is framed by anybody", () => {
  for (const own of [undefined, "default-src *", "default-src *; sandbox", "script-src 'unsafe-inline'"]) {
    const headers = policyOf(own);
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
  }
});
