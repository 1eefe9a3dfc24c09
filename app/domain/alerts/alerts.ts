import { z } from "zod";
import { CHANNELS, type Channels, channelProblems } from "../channels";
import type { OutboundRules } from "../outbound";
import type { Tone } from "../states";
import type { Problem } from "../submission";

/** What a rule counts. A subject is what it counts apart: each has an alert of its own. */
export const CONDITIONS = {
  cause: { label: "Jobs that die of one cause", means: "each cause of death is counted, and told, apart" },
  dead: { label: "Jobs that die", means: "all deaths count together, or those of one kind" },
  letters: {
    label: "Dead letters",
    means: "messages that came out of the dead-letter queue, or that nobody could read",
  },
  missed: { label: "Missed slots", means: "slots of a schedule that no sweep came for in time, or that got no job" },
} as const;
export type Condition = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as [Condition, ...Condition[]];

export const NOTICE_TYPES = {
  alert: { label: "Alert", tone: "danger" },
  reminder: { label: "Reminder", tone: "warning" },
  clear: { label: "All clear", tone: "success" },
  test: { label: "Test", tone: "info" },
} as const satisfies Record<string, { label: string; tone: Tone }>;
export type NoticeType = keyof typeof NOTICE_TYPES;
export const NOTICE_TYPE_NAMES = Object.keys(NOTICE_TYPES) as [NoticeType, ...NoticeType[]];

/** Jobs that tell of alerts. Their own deaths raise none: a channel that is down must not be told so over itself. */
export const ALERT_KIND = "alert";

export const RULES_MAX = 100;
export const MORE_THAN_MAX = 1_000;
export const WINDOW_MINUTES_MAX = 1_440;
export const REMIND_MINUTES_MAX = 10_080;
/** Alerts that one sweep raises, the most deaths first: a hundred causes at once are told in turn. */
export const NEW_AT_ONCE = 20;
/** Reminders and all-clears that one sweep tells, all-clears first: the others are still to be told by the next. */
export const OTHERS_AT_ONCE = 100;

export const RULE = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), "must be text without control characters"),
  condition: z.enum(CONDITION_NAMES),
  kind: z.string().min(1).max(100).optional().describe("only jobs of this kind; of cause and dead"),
  moreThan: z.int().min(0).max(MORE_THAN_MAX).default(0).describe("it is true from one more on"),
  windowMinutes: z.int().min(1).max(WINDOW_MINUTES_MAX).default(15).describe("counted over the last so many minutes"),
  remindMinutes: z
    .int()
    .min(0)
    .max(REMIND_MINUTES_MAX)
    .default(240)
    .describe("told again after so many minutes while it stays true; 0: never"),
  channels: CHANNELS.default({}),
});
export type RuleCall = z.output<typeof RULE>;

export function ruleProblems(call: RuleCall, rules: OutboundRules): Problem[] {
  const problems = channelProblems(call.channels, rules);
  if (call.kind !== undefined && call.condition !== "cause" && call.condition !== "dead") {
    problems.push({ path: "kind", message: `does not go with ${call.condition}` });
  }
  return problems;
}

export type Rule = {
  id: string;
  name: string;
  condition: Condition;
  kind: string | null;
  moreThan: number;
  windowMinutes: number;
  remindMinutes: number;
  channels: Channels;
  /** Where links lead; null: nobody has saved it yet. */
  origin: string | null;
};

/** Deaths of one minute and cause. */
export type Deaths = { minute: number; cause: string; kind: string; n: number; example: string };
export type Letter = { at: number; jobId: string | null };
export type Missed = { at: number; schedule: string; name: string | null; n: number; jobId: string | null };
export type OpenAlert = {
  id: string;
  ruleId: string;
  subject: string;
  subjectName: string | null;
  toldAt: number;
  notices: number;
  example: string | null;
};
/** What the rules are asked of: the newest of each, as much as the longest window needs. */
export type Observed = { now: number; deaths: Deaths[]; letters: Letter[]; missed: Missed[]; open: OpenAlert[] };

/** What is to be told now. `alert`: the row that is open; null: this opens one. */
export type Change = {
  type: "alert" | "reminder" | "clear";
  rule: Rule;
  alert: OpenAlert | null;
  subject: string;
  subjectName: string | null;
  n: number;
  example: string | null;
};

/**
 * What has changed since it was last told: a condition that became true, one that is still true after the rule's time for
 * a reminder, one that is over. Pure: the same rows give the same answer, whoever asks and however often.
 */
export function changesOf(rules: Rule[], observed: Observed): Change[] {
  const fresh: Change[] = [];
  const reminders: (Change & { alert: OpenAlert })[] = [];
  const clears: Change[] = [];
  for (const rule of rules) {
    const counted = countsOf(rule, observed);
    const open = new Map(
      observed.open.filter(({ ruleId }) => ruleId === rule.id).map((alert) => [alert.subject, alert]),
    );
    for (const [subject, count] of counted) {
      if (count.n <= rule.moreThan) continue;
      const alert = open.get(subject) ?? null;
      const remindMs = rule.remindMinutes * MINUTE;
      if (alert === null) fresh.push({ type: "alert", rule, alert, subject, ...count });
      else if (remindMs > 0 && observed.now - alert.toldAt >= remindMs) {
        reminders.push({ type: "reminder", rule, alert, subject, ...count });
      }
    }
    for (const alert of open.values()) {
      const { n } = counted.get(alert.subject) ?? { n: 0 };
      const { subject, subjectName, example } = alert;
      if (n <= rule.moreThan) clears.push({ type: "clear", rule, alert, subject, subjectName, n, example });
    }
  }
  // Who was told of longest ago is reminded of first: so each has its turn.
  const others = [...clears, ...reminders.sort((a, b) => a.alert.toldAt - b.alert.toldAt)];
  return [...others.slice(0, OTHERS_AT_ONCE), ...fresh.sort((a, b) => b.n - a.n).slice(0, NEW_AT_ONCE)];
}

const MINUTE = 60_000;

type Count = Pick<Change, "n" | "example" | "subjectName">;

/** By subject. The window reaches back whole minutes: what died within it is counted for sure, and gone a minute after. */
function countsOf(rule: Rule, { now, deaths, letters, missed }: Observed): Map<string, Count> {
  const from = now - (now % MINUTE) - rule.windowMinutes * MINUTE;
  const counts = new Map<string, Count>();
  const add = (subject: string, n: number, example: string | null, subjectName: string | null = null) => {
    const before = counts.get(subject);
    const newest =
      [before?.example ?? null, example]
        .filter((id) => id !== null)
        .sort()
        .at(-1) ?? null;
    counts.set(subject, { n: (before?.n ?? 0) + n, example: newest, subjectName });
  };
  switch (rule.condition) {
    case "cause":
    case "dead":
      for (const { minute, cause, kind, n, example } of deaths) {
        if (minute < from || (rule.kind !== null && kind !== rule.kind)) continue;
        add(rule.condition === "cause" ? cause : "", n, example);
      }
      break;
    case "letters":
      for (const { at, jobId } of letters) if (at >= from) add("", 1, jobId);
      break;
    case "missed":
      for (const { at, schedule, name, n, jobId } of missed) if (at >= from) add(schedule, n, jobId, name);
  }
  return counts;
}
