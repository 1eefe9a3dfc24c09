import { z } from "@hono/zod-openapi";
import { CONDITION_NAMES, CONDITIONS, NOTICE_TYPE_NAMES, RULE } from "~/domain/alerts/alerts";
import type { AlertsPage } from "~/domain/alerts/feeds";
import { CHANNEL_TYPES } from "~/domain/channels";
import { at, callId, count, text, time } from "./schema_words";
import { view } from "./schemas";

const { shape } = RULE;
const example = {
  name: "Many die",
  condition: "dead",
  moreThan: 10,
  windowMinutes: 15,
  remindMinutes: 240,
  channels: { slack: "https://hooks.slack.com/services/T0/B0/x" },
};
const fields = {
  condition: shape.condition.describe(
    CONDITION_NAMES.map((name) => `${name}: ${CONDITIONS[name].label.toLowerCase()}; ${CONDITIONS[name].means}`).join(
      ". ",
    ),
  ),
};
export const NEW_RULE = z.strictObject({ ...shape, id: callId });
export const alertRule = z.strictObject({ ...shape, ...fields, id: callId }).openapi("AlertRule", { example });
export const RULE_CHANGE = z.strictObject({ ...shape, version: z.int().min(1).optional() });
export const alertRuleChange = z
  .strictObject({ ...shape, ...fields, version: RULE_CHANGE.shape.version.describe("changes only what was looked at") })
  .openapi("AlertRuleChange", { example });

const tells = z.array(z.object({ type: z.enum(CHANNEL_TYPES), target: text }));
const rule = z
  .object({
    id: text,
    name: text,
    condition: z.enum(CONDITION_NAMES),
    kind: text.nullable(),
    moreThan: count,
    windowMinutes: count,
    remindMinutes: count,
    tells,
    version: count,
    disabledAt: time.nullable(),
    open: count.openapi({ description: "conditions of it that are true now" }),
  })
  .openapi("AlertRuleRow");

const notice = z
  .object({
    number: count,
    type: z.enum(NOTICE_TYPE_NAMES),
    at: time,
    n: count,
    channel: z.enum(CHANNEL_TYPES).nullable(),
    target: text.nullable(),
    jobId: text.nullable(),
    view: view.nullable(),
    tries: count.nullable(),
    error: text.nullable(),
  })
  .openapi("AlertNotice", { description: "what was told, over one channel, and how the job stands that tells it" });

const alert = z
  .object({
    id: text,
    ruleId: text,
    ruleName: text,
    condition: z.enum(CONDITION_NAMES).nullable(),
    subject: text.nullable().openapi({ description: "the cause, or the schedule's id" }),
    subjectName: text.nullable(),
    openedAt: time,
    clearedAt: time.nullable().openapi({ description: "null: the condition is true" }),
    n: count.openapi({ description: "when it was last told" }),
    example: text.nullable(),
    notices: z.array(notice),
  })
  .openapi("Alert");

export const alertsPage = z
  .object({ ...at, rules: z.array(rule), alerts: z.array(alert), next: text.nullable() })
  .openapi("AlertsPage") satisfies z.ZodType<AlertsPage>;

export const savedRule = z.object({ id: text, version: count }).openapi("SavedAlertRule");
export const switchedRule = z.object({ id: text, changed: z.boolean() }).openapi("SwitchedAlertRule");
export const testedRule = z.object({ id: text, jobIds: z.array(text) }).openapi("TestedAlertRule");
