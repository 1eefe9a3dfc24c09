import type { Channels } from "../channels";
import { numberText, utcOf } from "../schedules/form";
import type { WatchDefinition } from "./watch";

const NAMES = [
  ...["name", "url", "selector", "attribute", "compare", "when", "cron", "timeZone", "everyMinutes", "anchor"],
  ...["webhook", "slack", "email", "version"],
] as const;
/** What the form of a watch holds. `when`: which of the two ways of saying it counts. */
export type WatchFields = Record<
  | ("name" | "url" | "selector" | "attribute" | "compare" | "when" | "cron" | "timeZone" | "everyMinutes" | "anchor")
  | (keyof Channels | "version"),
  string
>;

export const EMPTY_WATCH: WatchFields = {
  name: "",
  url: "",
  selector: "",
  attribute: "",
  compare: "text",
  when: "cron",
  cron: "0 8 * * *",
  timeZone: "UTC",
  everyMinutes: "60",
  anchor: "",
  webhook: "",
  slack: "",
  email: "",
  version: "",
};

export const watchFieldsOf = (form: { get: (name: string) => unknown }): WatchFields =>
  Object.fromEntries(NAMES.map((name) => [name, String(form.get(name) ?? "")])) as WatchFields;

/** The form of a watch that is stored. */
export const fieldsOfWatch = (watch: WatchDefinition & { version: number }): WatchFields => ({
  ...EMPTY_WATCH,
  name: watch.name,
  url: watch.url,
  selector: watch.selector ?? "",
  attribute: watch.attribute ?? "",
  compare: watch.compare,
  when: watch.cron === null ? "every" : "cron",
  cron: watch.cron ?? "",
  timeZone: watch.timeZone,
  everyMinutes: watch.everyMinutes === null ? "" : String(watch.everyMinutes),
  anchor: watch.anchorAt === null ? "" : new Date(watch.anchorAt).toISOString().slice(0, 16),
  webhook: watch.channels.webhook ?? "",
  slack: watch.channels.slack ?? "",
  email: watch.channels.email ?? "",
  version: String(watch.version),
});

/** The same as a call to the API has it: what is empty is left out. */
export function watchCallOf(fields: WatchFields): Record<string, unknown> {
  const { when, cron, everyMinutes, anchor, timeZone } = fields;
  const timing =
    when === "every"
      ? { everyMinutes: numberOf(everyMinutes), ...given({ anchor: anchor.trim() && utcOf(anchor.trim()) }) }
      : { cron };
  return {
    name: fields.name,
    url: fields.url.trim(),
    compare: fields.compare,
    ...given({ selector: fields.selector.trim(), attribute: fields.attribute.trim() }),
    ...timing,
    timeZone: timeZone.trim(),
    channels: channelsFrom(fields),
  };
}

export const channelsFrom = (fields: Record<keyof Channels, string>): Record<string, string> =>
  given({ webhook: fields.webhook.trim(), slack: fields.slack.trim(), email: fields.email.trim() });

/** What is no number is left as it was typed, for whoever checks it to name. */
export function numberOf(text: string): unknown {
  const typed = numberText(text);
  return typed === "" ? text : JSON.parse(typed);
}

const given = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
