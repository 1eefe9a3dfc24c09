import { z } from "zod";
import { CHANNEL_TYPES, type Channel, channelProblems, type Message, tellingJob } from "~/domain/channels";
import type { JobContext } from "./define";
import { httpRequest } from "./http_request";
import { sendEmail } from "./send_email";

const WAYS = { http_request: httpRequest, send_email: sendEmail } as const;

const input = z.strictObject({
  channel: z.strictObject({ type: z.enum(CHANNEL_TYPES), to: z.string().max(2_048) }),
  message: z.strictObject({
    type: z.string().max(100),
    title: z.string().max(1_000),
    text: z.string().max(10_000),
    links: z.array(z.strictObject({ label: z.string(), url: z.string() })).max(10),
    at: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()),
  }),
});
type Telling = z.output<typeof input>;

/**
 * What kinds have in common that tell somebody something over one channel, the way `http_request` and `send_email` do.
 * Whoever knows the address of a channel may be able to write there, whatever its host is, so all of it is a secret.
 */
export const TELLING = {
  input,
  internal: true as const,
  check: ({ channel }: Telling, rules: Parameters<typeof channelProblems>[1]) =>
    channelProblems({ [channel.type]: channel.to }, rules),
  label: ({ channel, message }: Telling) => `${channel.type}: ${message.title}`,
  usualMs: 500,
  statements: 12,
  timeoutMs: 30_000,
  secrets: ["channel.to"],
  run: async ({ channel, message }: Telling, ctx: JobContext) => {
    const { kind, payload } = tellingJob(channel as Channel, message as Message);
    const way = WAYS[kind as keyof typeof WAYS];
    return way.run(way.input.parse(payload), { ...ctx, payloadText: JSON.stringify(payload) });
  },
};
