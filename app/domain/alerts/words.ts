import { jobsAddress } from "../addresses";
import { plural } from "../format";
import type { AlertRow, RuleRow } from "./feeds";

export const ruleAddress = (id: string): string => `/alerts/${encodeURIComponent(id)}`;
export const alertsAddress = (before?: string): string =>
  before ? `/alerts?${new URLSearchParams({ before })}` : "/alerts";

const NOUNS = { cause: "dead job", dead: "dead job", letters: "dead letter", missed: "missed slot" } as const;

/** `more than 10 dead jobs in 15 minutes` */
export const ruleText = ({ condition, kind, moreThan, windowMinutes }: RuleRow): string => {
  const of = condition === "cause" ? " of one cause" : condition === "missed" ? " of one schedule" : "";
  const noun = `${kind === null ? "" : `${kind} `}${NOUNS[condition]}`;
  const many = moreThan === 0 ? `any ${noun}` : `more than ${plural(moreThan, noun)}`;
  return `${many}${of} in ${plural(windowMinutes, "minute")}`;
};

/** `every 4 h while it stays true` */
export const reminderText = ({ remindMinutes }: RuleRow): string => {
  if (remindMinutes === 0) return "told once";
  const every = remindMinutes % 60 === 0 ? plural(remindMinutes / 60, "hour") : plural(remindMinutes, "minute");
  return `told again every ${every} while it stays true`;
};

/** What an alert is about, and where its list is; null: there is none. */
export function aboutAlert({ condition, subject, subjectName }: AlertRow): { text: string; to: string | null } {
  switch (condition) {
    case "cause":
      return subject
        ? { text: subject, to: jobsAddress({ view: "dead", cause: subject }) }
        : { text: "Jobs die", to: "/dead" };
    case "dead":
      return { text: "Jobs die", to: "/dead" };
    case "letters":
      return { text: "Dead letters arrive", to: null };
    case "missed":
      return subject
        ? { text: `Schedule ${subjectName ?? subject} misses slots`, to: `/schedules/${encodeURIComponent(subject)}` }
        : { text: "Schedules miss slots", to: "/schedules" };
    case null:
      return { text: subjectName ?? subject ?? "of a rule that was deleted", to: null };
  }
}
