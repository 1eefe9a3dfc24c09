import { defineKind } from "../define";
import { TELLING } from "../telling";

/** Tells of a page that has changed. */
export const watchTelling = defineKind({
  ...TELLING,
  name: "watch_telling",
  title: "Watch message",
  description: "Tells of a change of a watched page by webhook, Slack or e-mail. Submitted by the check that saw it.",
});
