import { expect, test } from "vitest";
import {
  bodyOf,
  countsOf,
  overallOf,
  parseWebhookId,
  savedTarget,
  shownAddress,
  shownTarget,
  webhookId,
} from "./webhooks";

const written = (event: { type: string; timestamp?: string; data: unknown }) => ({
  ...event,
  dataText: JSON.stringify(event.data),
});

test("C072: an event has one word for how it went at all its endpoints", () => {
  const word = (...views: Parameters<typeof countsOf>[0]) => overallOf(countsOf(views));
  expect(word("delivered", "delivered", "skipped")).toBe("delivered");
  expect(word("delivered", "failed")).toBe("partly failed");
  expect(word("failed", "skipped")).toBe("failed");
  expect(word("skipped")).toBe("skipped");
  expect(word("failed", "retrying")).toBe("delivering");
  expect(word("delivered", "waiting")).toBe("delivering");
});

test("a webhook id says which delivery it is, and nothing else does", () => {
  const id = "0198c9a0-0000-7000-8000-000000000000";
  expect(parseWebhookId(webhookId(id, 499))).toEqual({ fanoutId: id, n: 499 });
  for (const text of ["", "msg_x_1", `msg_${id}`, `msg_${id}_x`, `msg_${id}_1000`, `${id}_1`]) {
    expect([text, parseWebhookId(text)]).toEqual([text, null]);
  }
});

test("an address is shown without what gives access", () => {
  const zapier = "https://hooks.zapier.com/hooks/catch/1/secret?key=abc";
  expect(shownTarget("standard", zapier, null)).toBe("https://hooks.zapier.com/…");
  expect(savedTarget("standard", zapier, null)).toBe("https://hooks.zapier.com/hooks/catch/1/secret?…");
  expect(savedTarget("slack", "https://chat.example/secret", null)).toBe("https://chat.example/…");
  expect(shownAddress(shownTarget("standard", "https://a.example:8443/x", null))).toBe("https://a.example:8443/…");
  expect(shownTarget("slack", "https://hooks.slack.com/services/T0/B0/secret", null)).toBe("https://hooks.slack.com/…");
  expect(shownTarget("standard", "https://hooks.slack.com./services/T0/B0/secret", null)).toBe(
    "https://hooks.slack.com./…",
  );
  expect(shownTarget("standard", "no address", null)).toBe("standard");
  expect(shownTarget("service", "/events", "BILLING")).toBe("BILLING /events");
});

test("Slack gets text: the data's own, or the data as text with nothing in it that means something there", () => {
  const own = { text: "disk full", blocks: [{ type: "divider" }], more: 1 };
  expect(JSON.parse(bodyOf("slack", written({ type: "alert", data: own })))).toEqual({
    text: "disk full",
    blocks: own.blocks,
  });
  const { text } = JSON.parse(bodyOf("slack", written({ type: "a<b", data: { who: "<!channel> & co" } })));
  expect(text).toContain("*a&lt;b*");
  expect(text).toContain("&lt;!channel&gt; &amp; co");
  expect(JSON.parse(bodyOf("slack", written({ type: "big", data: "x".repeat(100_000) }))).text.length).toBeLessThan(
    4_000,
  );
});

test("the time of the event is sent where it is given", () => {
  const event = { type: "ping", timestamp: "2026-12-01T10:00:00.000Z", data: null };
  expect(bodyOf("service", written(event))).toBe('{"type":"ping","timestamp":"2026-12-01T10:00:00.000Z","data":null}');
});

test("data is sent as it was written: a long number is not rounded, for Slack neither", () => {
  const dataText = '{ "id": 12345678901234567890, "price": 1.0 }';
  const event = { type: "paid", data: JSON.parse(dataText), dataText };
  expect(bodyOf("standard", event)).toBe(`{"type":"paid","data":${dataText}}`);
  expect(JSON.parse(bodyOf("slack", event)).text).toContain("12345678901234567890");
});
