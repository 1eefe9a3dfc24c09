import type { Channels } from "../channels";
import { channelsFrom, numberOf } from "../watches/form";
import type { Rule } from "./alerts";

const NAMES = [
  ...["name", "condition", "kind", "moreThan", "windowMinutes", "remindMinutes"],
  ...["webhook", "slack", "email", "version"],
] as const;
/** What the form of a rule holds. */
export type RuleFields = Record<
  ("name" | "condition" | "kind" | "moreThan" | "windowMinutes" | "remindMinutes" | "version") | keyof Channels,
  string
>;

export const EMPTY_RULE: RuleFields = {
  name: "",
  condition: "dead",
  kind: "",
  moreThan: "10",
  windowMinutes: "15",
  remindMinutes: "240",
  webhook: "",
  slack: "",
  email: "",
  version: "",
};

export const ruleFieldsOf = (form: { get: (name: string) => unknown }): RuleFields =>
  Object.fromEntries(NAMES.map((name) => [name, String(form.get(name) ?? "")])) as RuleFields;

/** The form of a rule that is stored. */
export const fieldsOfRule = (rule: Rule & { version: number }): RuleFields => ({
  name: rule.name,
  condition: rule.condition,
  kind: rule.kind ?? "",
  moreThan: String(rule.moreThan),
  windowMinutes: String(rule.windowMinutes),
  remindMinutes: String(rule.remindMinutes),
  webhook: rule.channels.webhook ?? "",
  slack: rule.channels.slack ?? "",
  email: rule.channels.email ?? "",
  version: String(rule.version),
});

/** The same as a call to the API has it: what is empty is left out. */
export const ruleCallOf = (fields: RuleFields): Record<string, unknown> => ({
  name: fields.name,
  condition: fields.condition,
  ...(fields.kind !== "" && { kind: fields.kind }),
  moreThan: numberOf(fields.moreThan),
  windowMinutes: numberOf(fields.windowMinutes),
  remindMinutes: numberOf(fields.remindMinutes),
  channels: channelsFrom(fields),
});
