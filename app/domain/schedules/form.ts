import { payloadText } from "../form/call";
import type { Problem } from "../submission";
import { parseSchedule } from "./call";
import { EMPTY_SCHEDULE, type ScheduleFields } from "./fields";
import { type Preview, previewOf } from "./preview";
import { timingOf } from "./schedule";

/** The same as a call to the API: it goes the way of every call, with the same checks. `payload` must be JSON already. */
export function scheduleCallText(fields: ScheduleFields): string {
  const members: [string, string][] = [
    ["name", JSON.stringify(fields.name)],
    ["kind", JSON.stringify(fields.kind)],
    ["payload", payloadText(fields.payload)],
    ["timeZone", JSON.stringify(fields.timeZone.trim())],
    ["missed", JSON.stringify(fields.missed)],
    ["overlap", JSON.stringify(fields.overlap)],
  ];
  const add = (name: string, value: string) => value !== "" && members.push([name, value]);
  if (fields.when === "every") {
    members.push(["everyMinutes", numberText(fields.everyMinutes) || "null"]);
    add("anchor", fields.anchor.trim() && JSON.stringify(utcOf(fields.anchor.trim())));
  } else members.push(["cron", JSON.stringify(fields.cron)]);
  add("priority", fields.priority && JSON.stringify(fields.priority));
  add("maxAttempts", numberText(fields.maxAttempts));
  add("missedMax", fields.missed === "all" ? numberText(fields.missedMax) : "");
  add("version", numberText(fields.version));
  return `{${members.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;
}

export type PreviewAnswer = { preview: Preview; problems: [] } | { preview: null; problems: Problem[] };

/** What the fields about time come to, whatever the others hold. */
export function previewFields(
  fields: Pick<ScheduleFields, "when" | "cron" | "timeZone" | "everyMinutes" | "anchor">,
  now: number,
): PreviewAnswer {
  const others = { ...EMPTY_SCHEDULE, name: "a", kind: "a", version: "" };
  const { when, cron, timeZone, everyMinutes, anchor } = fields;
  const call = parseSchedule(scheduleCallText({ ...others, when, cron, timeZone, everyMinutes, anchor }), now);
  if ("status" in call) return { preview: null, problems: call.problems };
  return { preview: previewOf(timingOf(call.definition), call.definition.timeZone, now), problems: [] };
}

export const numberText = (text: string): string => {
  const typed = text.trim();
  return /^-?\d+(\.\d+)?$/.test(typed) ? typed.replace(/^(-?)0+(?=\d)/, "$1") : typed && JSON.stringify(typed);
};

/** A date field has no zone: ours is labelled UTC. */
export const utcOf = (text: string): string => (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : text);
