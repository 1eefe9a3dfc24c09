import { z } from "zod";
import { ALERT_KIND } from "~/domain/alerts";
import { CHANNEL_TYPES, type Channel, channelProblems, type Message, tellingJob } from "~/domain/channels";
import { defineKind } from "./define";
import { httpRequest } from "./http_request";
import { sendEmail } from "./send_email";

const WAYS = { http_request: httpRequest, send_email: sendEmail } as const;

/**
 * Tells of an alert over one channel, the way `http_request` and `send_email` do. A kind of its own, so that what dies
 * here is known apart: it raises no alerts.
 */
export const alert = defineKind({
  name: ALERT_KIND,
  internal: true,
  title: "Alert",
  description: "Tells of an alert by webhook, Slack or e-mail. Submitted by alert rules.",
  input: z.strictObject({
    channel: z.strictObject({ type: z.enum(CHANNEL_TYPES), to: z.string().max(2_048) }),
    message: z.strictObject({
      type: z.string().max(100),
      title: z.string().max(1_000),
      text: z.string().max(10_000),
      links: z.array(z.strictObject({ label: z.string(), url: z.string() })).max(10),
      at: z.iso.datetime(),
      data: z.record(z.string(), z.unknown()),
    }),
  }),
  check: ({ channel }, rules) => channelProblems({ [channel.type]: channel.to }, rules),
  label: ({ channel, message }) => `${channel.type}: ${message.title}`,
  usualMs: 500,
  statements: 12,
  timeoutMs: 30_000,
  // Half an hour, with a try every five minutes at the end: a channel that is down for a while is waited for.
  retry: { capMs: 300_000, maxAttempts: 12 },
  secrets: ["channel.to"],
  run: async ({ channel, message }, ctx) => {
    const { kind, payload } = tellingJob(channel as Channel, message as Message);
    const way = WAYS[kind as keyof typeof WAYS];
    return way.run(way.input.parse(payload), { ...ctx, payloadText: JSON.stringify(payload) });
  },
});
