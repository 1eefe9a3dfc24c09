import { ALERT_KIND } from "~/domain/alerts/alerts";
import { defineKind } from "./define";
import { TELLING } from "./telling";

/** Tells of an alert. A kind of its own, so that what dies here is known apart: it raises no alerts. */
export const alert = defineKind({
  ...TELLING,
  name: ALERT_KIND,
  title: "Alert",
  description: "Tells of an alert by webhook, Slack or e-mail. Submitted by alert rules.",
  // Half an hour, with a try every five minutes at the end: a channel that is down for a while is waited for.
  retry: { capMs: 300_000, maxAttempts: 12 },
});
