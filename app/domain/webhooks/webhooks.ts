import { prettyJson } from "../job/pretty";
import type { Tone } from "../states";
import { preview } from "../text";

/** What kind of receiver it is: what is sent, and how. */
export const ENDPOINT_TYPES = ["standard", "slack", "service"] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

export const DELIVERY_STATUSES = ["delivered", "retrying", "failed", "skipped"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** `waiting`: its first try has not ended yet, so it has no row. */
export type DeliveryView = DeliveryStatus | "waiting";
export const DELIVERY_VIEWS: Record<DeliveryView, { label: string; tone: Tone; means: string }> = {
  delivered: { label: "Delivered", tone: "success", means: "answered 2xx" },
  retrying: { label: "Retrying", tone: "warning", means: "failed so far; a job of its own goes on with it" },
  failed: { label: "Failed", tone: "danger", means: "answered for good, or all tries are used up" },
  skipped: { label: "Skipped", tone: "neutral", means: "the endpoint was disabled or removed: nothing was sent" },
  waiting: { label: "Waiting", tone: "neutral", means: "not tried yet" },
};

export type DeliveryCounts = Record<DeliveryView, number>;
export type Overall = "delivering" | "delivered" | "partly failed" | "failed" | "skipped";

/**
 * One word for an event: `delivering` while any endpoint may still get it; then `delivered` where all did that were to
 * get it, `failed` where none did, `partly failed` in between, `skipped` where there was nobody to send to.
 */
export function overallOf(counts: DeliveryCounts): Overall {
  if (counts.waiting + counts.retrying > 0) return "delivering";
  if (counts.failed > 0) return counts.delivered > 0 ? "partly failed" : "failed";
  return counts.delivered > 0 ? "delivered" : "skipped";
}

export function countsOf(views: DeliveryView[]): DeliveryCounts {
  const counts: DeliveryCounts = { delivered: 0, retrying: 0, failed: 0, skipped: 0, waiting: 0 };
  for (const view of views) counts[view]++;
  return counts;
}

export const FANOUT_ENDPOINTS = 500;
/** Endpoints that one job calls; an event with more is spread over further jobs. */
export const JOB_ENDPOINTS = 50;

/** The same for every try of one endpoint, and of no other: receivers know a repeat by it. */
export const webhookId = (fanoutId: string, n: number): string => `msg_${fanoutId}_${n}`;

export function parseWebhookId(text: string): { fanoutId: string; n: number } | null {
  const [, fanoutId, n] = /^msg_([0-9a-f-]{36})_(\d{1,3})$/.exec(text) ?? [];
  return fanoutId === undefined ? null : { fanoutId, n: Number(n) };
}

const SLACK_HOST = "hooks.slack.com";

/** A secret of a kind: who knows the path of a Slack webhook can write there. */
export const SLACK_URL = (path: string): string => `${path}=${SLACK_HOST}`;

/** Whether an address is a secret as a whole, also where a Slack webhook is called as if it were another. */
export const isSecretAddress = (type: EndpointType, address: string): boolean =>
  type === "slack" || (URL.canParse(address) && new URL(address).hostname.replace(/\.$/, "") === SLACK_HOST);

/** What everybody may see of an address: who knows its path can write there, at many receivers. Other text stays as it is. */
export const shownAddress = (text: string): string => (URL.canParse(text) ? `${new URL(text).origin}/…` : text);

/** Whom a request goes to, as everybody may see it. */
export function shownTarget(type: EndpointType, address: string, service: string | null): string {
  if (type === "service") return preview(`${service} ${address}`);
  return URL.canParse(address) ? preview(shownAddress(address)) : type;
}

/** The same for whoever may save endpoints, who must tell two at one host apart; a query can hold a key all the same. */
export function savedTarget(type: EndpointType, address: string, service: string | null): string {
  if (type === "service" || !URL.canParse(address) || isSecretAddress(type, address)) {
    return shownTarget(type, address, service);
  }
  const { origin, pathname, search } = new URL(address);
  return preview(`${origin}${pathname}${search ? "?…" : ""}`);
}

export type WebhookEvent = { type: string; timestamp?: string; data: unknown; dataText: string };

/** The text that is sent, the same on every try: the data as it was written, since parsing would round long numbers. */
export function bodyOf(to: EndpointType, event: WebhookEvent): string {
  if (to === "slack") return JSON.stringify(slackBody(event));
  const { type, timestamp, dataText } = event;
  const at = timestamp === undefined ? "" : `,"timestamp":${JSON.stringify(timestamp)}`;
  return `{"type":${JSON.stringify(type)}${at},"data":${dataText}}`;
}

const SLACK_DATA_CHARS = 3_000;

/** Slack takes text, and blocks or attachments beside it. Data that has a text of its own is a message as it stands. */
function slackBody({ type, data, dataText }: WebhookEvent): Record<string, unknown> {
  const own = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
  if (typeof own.text === "string" && own.text !== "") {
    const { text, blocks, attachments } = own;
    return { text, ...(blocks !== undefined && { blocks }), ...(attachments !== undefined && { attachments }) };
  }
  const shown = preview(prettyJson(dataText), SLACK_DATA_CHARS);
  return { text: `*${slackText(type)}*\n\`\`\`${slackText(shown)}\`\`\`` };
}

/** The three characters that mean something in Slack's text. */
const slackText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What the API and the pages show of one endpoint's share of an event. */
export type DeliveryRow = {
  fanoutId: string;
  /** Place in the event's list of endpoints, from 0. */
  n: number;
  webhookId: string;
  endpointId: string | null;
  type: EndpointType;
  target: string;
  status: DeliveryView;
  attempts: number;
  httpStatus: number | null;
  durationMs: number | null;
  signed: boolean;
  /** End of the last try. */
  at: string | null;
  /** Start of the next one, where one waits. */
  nextAt: string | null;
  /** The job that goes on with it, or that was the last to. */
  jobId: string | null;
  error: string | null;
  /** The beginning of the last answer. */
  answer: string | null;
};

export type Fanout = { overall: Overall; counts: DeliveryCounts; deliveries: DeliveryRow[] };

export type EndpointRow = {
  id: string;
  name: string;
  type: EndpointType;
  target: string;
  /** Names of the custom headers: what they hold is not shown. */
  headers: string[];
  signed: boolean;
  /** Until then the secret before the last rotation signs as well. */
  rotatingUntil: string | null;
  createdAt: string;
  disabledAt: string | null;
  disabledReason: string | null;
};
export type EndpointList = { revision: number; now: string; endpoints: EndpointRow[] };
/** `event`: how the job that holds the event is labelled. */
export type SentRow = DeliveryRow & { event: string | null };
export type EndpointDetail = EndpointRow & { revision: number; now: string; deliveries: SentRow[] };

export const endpointAddress = (id: string): string => `/endpoints/${encodeURIComponent(id)}`;
export const deliveryAddress = (id: string): string => `/deliveries/${encodeURIComponent(id)}`;
