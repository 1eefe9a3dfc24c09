import type { ChannelType } from "../channels";
import type { View } from "../states";
import type { Condition, NoticeType } from "./alerts";

/** What the API and the pages show of alerts. Times are RFC 3339 UTC with ms and Z. */
export type RuleRow = {
  id: string;
  name: string;
  condition: Condition;
  kind: string | null;
  moreThan: number;
  windowMinutes: number;
  remindMinutes: number;
  /** Channels and their addresses, as they may be shown. */
  tells: { type: ChannelType; target: string }[];
  version: number;
  disabledAt: string | null;
  /** Conditions of it that are true now. */
  open: number;
};

export type NoticeShown = {
  number: number;
  type: NoticeType;
  at: string;
  n: number;
  /** null: the rule had no channel. */
  channel: ChannelType | null;
  target: string | null;
  jobId: string | null;
  /** How its job stands now; null: it has none, or it is stored no more. */
  view: View | null;
  tries: number | null;
  error: string | null;
};

export type AlertRow = {
  id: string;
  ruleId: string;
  ruleName: string;
  /** null: the rule is removed. */
  condition: Condition | null;
  /** The cause, or the schedule's id; null where the rule counts all together. */
  subject: string | null;
  subjectName: string | null;
  openedAt: string;
  clearedAt: string | null;
  n: number;
  example: string | null;
  notices: NoticeShown[];
};

export type AlertsPage = {
  revision: number;
  now: string;
  rules: RuleRow[];
  /** Newest first. */
  alerts: AlertRow[];
  /** Pass as `before` for older alerts; null: there are none. */
  next: string | null;
};
