import { z } from "zod";
import { EMAIL_CHARS, emailProblem } from "./mail/email";
import { type OutboundRules, outboundProblem } from "./outbound";
import type { Problem } from "./submission";
import { preview } from "./text";
import { shownAddress } from "./webhooks/webhooks";

const URL_CHARS = 2_048;

/** Who is told: each channel at most once. */
export const CHANNELS = z.strictObject({
  webhook: z.string().max(URL_CHARS).optional().describe("gets the message as JSON, by POST"),
  slack: z.string().max(URL_CHARS).optional().describe("an incoming webhook of Slack, or of what speaks its format"),
  email: z.string().max(EMAIL_CHARS).optional().describe("gets it as a mail"),
});
export type Channels = z.output<typeof CHANNELS>;
export type ChannelType = keyof Channels;
export const CHANNEL_TYPES = Object.keys(CHANNELS.shape) as [ChannelType, ...ChannelType[]];
export type Channel = { type: ChannelType; to: string };

export const CHANNEL_LABELS: Record<ChannelType, string> = { webhook: "Webhook", slack: "Slack", email: "E-mail" };

export const channelsOf = (channels: Channels): Channel[] =>
  CHANNEL_TYPES.flatMap((type) => {
    const to = channels[type];
    return to === undefined ? [] : { type, to };
  });

/** Why a channel must not be saved. What a URL may be is asked again when something is sent. */
export const channelProblems = (channels: Channels, rules: OutboundRules): Problem[] =>
  channelsOf(channels).flatMap(({ type, to }) => {
    const message = type === "email" ? emailProblem(to) : outboundProblem(to, rules);
    return message === null ? [] : { path: `channels.${type}`, message };
  });

/** As everybody may see it: who knows the path of a webhook can write there. */
export const shownChannel = ({ type, to }: Channel): string => (type === "email" ? to : shownAddress(to));

export type Message = {
  /** For programs, such as `watch.changed`. */
  type: string;
  title: string;
  /** Lines of plain text. */
  text: string;
  links: { label: string; url: string }[];
  /** When it happened, RFC 3339. */
  at: string;
  data: Record<string, unknown>;
};

/** The job that tells: its kind and input. Nothing in it varies between two tries. */
export function tellingJob({ type, to }: Channel, message: Message): { kind: string; payload: unknown } {
  const { title, text, links, at, data } = message;
  switch (type) {
    case "webhook":
      return {
        kind: "http_request",
        payload: {
          url: to,
          method: "POST",
          json: { type: message.type, timestamp: at, data: { title, text, links, ...data } },
        },
      };
    case "slack":
      return { kind: "http_request", payload: { url: to, method: "POST", json: { text: slackText(message) } } };
    case "email": {
      const lines = [text, ...links.map(({ label, url }) => `${label}: ${url}`)];
      return {
        kind: "send_email",
        payload: { to, subject: preview(oneLine(title), SUBJECT_CHARS), text: `${lines.join("\n\n")}\n` },
      };
    }
  }
}

const SUBJECT_CHARS = 200;
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

const slackText = ({ title, text, links }: Message): string =>
  [
    `*${escaped(oneLine(title))}*`,
    escaped(text),
    links.map(({ label, url }) => `<${escaped(url)}|${escaped(label)}>`).join(" · "),
  ]
    .filter(Boolean)
    .join("\n");

/** The three characters that mean something in Slack's text. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
