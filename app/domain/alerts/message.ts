import { jobAddress, jobsAddress } from "../addresses";
import type { Message } from "../channels";
import { plural } from "../format";
import { instant } from "../time";
import type { NoticeType, Rule } from "./alerts";

export type Told = { alertId: string; subject: string; subjectName: string | null; n: number; example: string | null };

/** What is told of an alert, with links to the list of what it counts and to one of them. */
export function alertMessage(type: NoticeType, rule: Rule, told: Told, at: number): Message {
  const { origin } = rule;
  const link = (label: string, path: string) => (origin === null ? [] : [{ label, url: origin + path }]);
  return {
    type: `alert.${TYPES[type]}`,
    title: `${TITLES[type]}${whatText(rule, told)}`,
    text: [
      type === "test" ? "This is what an alert of this rule looks like." : countText(type, rule, told),
      `Rule: ${rule.name}`,
    ].join("\n"),
    links: [
      ...link("The list", listOf(rule, told)),
      ...(told.example === null ? [] : link("An example", jobAddress(told.example))),
      ...link("Alerts", "/alerts"),
    ],
    at: instant(at),
    data: {
      alert: told.alertId,
      rule: { id: rule.id, name: rule.name },
      condition: rule.condition,
      subject: told.subject || null,
      count: told.n,
      moreThan: rule.moreThan,
      windowMinutes: rule.windowMinutes,
      example: told.example,
    },
  };
}

const TYPES: Record<NoticeType, string> = { alert: "opened", reminder: "reminder", clear: "cleared", test: "test" };
const TITLES: Record<NoticeType, string> = { alert: "", reminder: "Still: ", clear: "Over: ", test: "Test: " };

function whatText(rule: Rule, { subject, subjectName }: Told): string {
  const kind = rule.kind === null ? "" : `${rule.kind} `;
  switch (rule.condition) {
    case "cause":
      return subject ? `jobs die: ${subject}` : `${kind}jobs die of one cause`;
    case "dead":
      return `${kind}jobs die`;
    case "letters":
      return "dead letters arrive";
    case "missed":
      return subject ? `schedule ${subjectName ?? subject} misses slots` : "schedules miss slots";
  }
}

function countText(type: NoticeType, { condition, windowMinutes, moreThan }: Rule, { n }: Told): string {
  const nouns = { cause: "dead job", dead: "dead job", letters: "dead letter", missed: "missed slot" } as const;
  const counted = `${plural(n, nouns[condition])} in the last ${plural(windowMinutes, "minute")}`;
  return type === "clear" ? `${counted}: not more than ${moreThan} any more` : `${counted}: more than ${moreThan}`;
}

function listOf({ condition, kind }: Rule, { subject }: Told): string {
  if (condition === "cause" && subject) return jobsAddress({ view: "dead", cause: subject });
  if (condition === "missed") return subject ? `/schedules/${encodeURIComponent(subject)}` : "/schedules";
  if (condition === "dead" && kind !== null) return jobsAddress({ view: "dead", kind });
  return "/dead";
}
