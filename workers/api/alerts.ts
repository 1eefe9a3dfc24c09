import { z } from "@hono/zod-openapi";
import type { App } from "~/cloudflare";
import { RULES_MAX } from "~/domain/alerts/alerts";
import { problem, problemOf } from "~/domain/problem";
import {
  createRule,
  disable,
  enable,
  remove,
  type SavedRule,
  type SwitchedRule,
  testRule,
  updateRule,
} from "~/lifecycle/alerts/edit_rule";
import { readAlerts } from "~/store/reads/alerts";
import type { By } from "~/store/reopen";
import {
  alertRule,
  alertRuleChange,
  alertsPage,
  NEW_RULE,
  RULE_CHANGE,
  savedRule,
  switchedRule,
  testedRule,
} from "./alert_schemas";
import { fresh, json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, REASON, readAction } from "./body";
import type { Route } from "./route";

const unknown = { 404: "no rule with this id is stored" };

export const getAlerts: Route = {
  method: "get",
  path: "/alerts",
  summary: "Alert rules, and what they raised, newest first",
  query: z.strictObject({ before: z.uuid().optional().describe("alerts before this one: `next` of a page") }),
  cached: true,
  answers: { 200: { description: "A page", content: { "application/json": { schema: alertsPage } } } },
  problems: {},
  handle: ({ request, url, app }) =>
    fresh(request, app, () => readAlerts(app.engine.store, { before: url.searchParams.get("before") ?? undefined })),
};

export const postAlertRule: Route = {
  method: "post",
  path: "/alert-rules",
  summary: "Make an alert rule",
  description:
    "It is asked every minute. One alert when it becomes true, reminders while it stays so, an all-clear when it is over: a job of kind alert for each channel.",
  body: { required: true, description: "The rule.", schema: alertRule },
  answers: { 201: { description: "It is asked from now on", content: { "application/json": { schema: savedRule } } } },
  problems: { ...ACTION_PROBLEMS, 409: `${RULES_MAX} rules are stored` },
  async handle({ request, url, app }) {
    const asked = await readAction(request, NEW_RULE);
    if (isProblem(asked)) return problemResponse(asked);
    const { id, ...call } = asked;
    const done = await createRule(app.engine, call, { origin: url.origin, id }, { actor: app.identity.name });
    return done.kind === "saved" || done.kind === "exists"
      ? json({ id: done.id, version: done.version }, 201)
      : refusal(done);
  },
};

export const putAlertRule: Route = {
  method: "put",
  path: "/alert-rules/{id}",
  summary: "Change an alert rule",
  description: "The whole of it is given anew. Where it counts something else from then on, what is open of it ends.",
  body: { required: true, description: "The rule, and the `version` that was looked at.", schema: alertRuleChange },
  answers: { 200: { description: "Changed", content: { "application/json": { schema: savedRule } } } },
  problems: { ...ACTION_PROBLEMS, ...unknown, 409: "somebody changed it meanwhile (`version`)" },
  async handle({ request, url, params: { id = "" }, app }) {
    const asked = await readAction(request, RULE_CHANGE);
    if (isProblem(asked)) return problemResponse(asked);
    const { version, ...call } = asked;
    const done = await updateRule(app.engine, { id, version }, call, url.origin, { actor: app.identity.name });
    return done.kind === "saved" ? json({ id, version: done.version }) : refusal(done);
  },
};

type Act = (engine: App["engine"], id: string, by: By) => Promise<SwitchedRule>;
const switching = (verb: string, summary: string, description: string, act: Act): Route => ({
  method: "post",
  path: `/alert-rules/{id}/${verb}`,
  summary,
  description,
  body: { required: false, description: "May be left out.", schema: REASON },
  answers: { 200: { description: "It is so now", content: { "application/json": { schema: switchedRule } } } },
  problems: { ...unknown, ...ACTION_PROBLEMS },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await act(app.engine, id, { actor: app.identity.name, ...asked });
    return done === "not-found" ? noSuchRule() : json({ id, changed: done === "done" });
  },
});

export const disableAlertRule = switching(
  "disable",
  "Ask a rule no more",
  "What is open of it ends, and nobody is told.",
  disable,
);
export const enableAlertRule = switching("enable", "Ask a rule again", "What is true then is news.", enable);
export const deleteAlertRule = switching(
  "delete",
  "Delete a rule",
  "What it told stays in the history.",
  async (engine, id, by) => ((await remove(engine, id, by)) === "removed" ? "done" : "not-found"),
);

export const testAlertRule: Route = {
  method: "post",
  path: "/alert-rules/{id}/test",
  summary: "Send a test over all channels of a rule",
  body: { required: false, description: "May be left out.", schema: REASON },
  answers: { 202: { description: "Its jobs are stored", content: { "application/json": { schema: testedRule } } } },
  problems: { ...unknown, ...ACTION_PROBLEMS, 409: "the rule has no channel" },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await testRule(app.engine, id, { actor: app.identity.name, ...asked });
    if (done.kind === "not-found") return noSuchRule();
    if (done.kind === "sent") return json({ id, jobIds: done.jobIds }, 202);
    return problemResponse(problem(409, "no-channel", "this rule has no channel to test"));
  },
};

function refusal(done: Exclude<SavedRule, { kind: "saved" }>): Response {
  switch (done.kind) {
    case "rejected":
      return problemResponse(problemOf(done.rejection));
    case "full":
      return problemResponse(problem(409, "too-many-rules", `${done.stored} rules are stored, no more are taken`));
    case "changed": {
      const detail = `somebody changed it meanwhile: it is version ${done.version} now`;
      return problemResponse(problem(409, "changed-meanwhile", detail, { version: done.version }));
    }
    case "exists":
    case "not-found":
      return noSuchRule();
  }
}

const noSuchRule = () => problemResponse(problem(404, "no-such-rule", "no rule with this id is stored"));
