import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { App } from "~/cloudflare";
import { problem, problemOf } from "~/domain/problem";
import { problemsOf } from "~/domain/submission";
import { cancelJob, requeueJob } from "./api/actions";
import { getActivity } from "./api/activity";
import {
  deleteAlertRule,
  disableAlertRule,
  enableAlertRule,
  getAlerts,
  postAlertRule,
  putAlertRule,
  testAlertRule,
} from "./api/alerts";
import { json } from "./api/answers";
import { problemResponse } from "./api/body";
import { getBulkCount, postBulk } from "./api/bulk";
import { getCause, getCauses } from "./api/causes";
import { resendDelivery } from "./api/deliveries";
import { ABOUT, entryOf, SECURITY } from "./api/document";
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  getEndpoint,
  getEndpoints,
  postEndpoint,
  rotateEndpoint,
} from "./api/endpoints";
import { exportCsv, exportNdjson } from "./api/export";
import { failure } from "./api/failures";
import { deleteFile, getFile, getFiles } from "./api/files";
import { getHealth } from "./api/health";
import { getJob, getJobs, getStats } from "./api/jobs";
import { getKinds, limitKindCall, pauseKindCall, resumeKindCall } from "./api/kinds";
import { getLetters, postReplay, postReplaying } from "./api/letters";
import { getMail } from "./api/mail";
import { abortOperationCall, againOperationCall, getOperation, getOperations } from "./api/operations";
import { getOverview } from "./api/overview";
import { getPeople, putDefaultRole, putPerson, removePerson } from "./api/people";
import { getRetention, putRetention } from "./api/retention";
import type { Route } from "./api/route";
import { deleteScheduleCall, pauseScheduleCall, resumeScheduleCall, runScheduleCall } from "./api/schedule_actions";
import { getSchedule, getSchedules, postSchedule, putSchedule } from "./api/schedules";
import { postSignup } from "./api/signup";
import { submitJobs } from "./api/submit";
import { getSubmitters, limitSubmitter } from "./api/submitters";
import { getTokens, postToken, revokeTokenCall } from "./api/tokens";
import { beginFile, completeFile, putPart } from "./api/uploads";
import { checkWatchCall, deleteWatchCall, pauseWatchCall, resumeWatchCall } from "./api/watch_actions";
import { getWatch, getWatches, postWatch, putWatch } from "./api/watches";

const BASE = "/api/v1";

const getDocument: Route = {
  method: "get",
  path: "/openapi.json",
  summary: "This document",
  answers: { 200: { description: "OpenAPI 3.1", content: { "application/json": { schema: z.looseObject({}) } } } },
  problems: {},
  handle: async () => json(hono.getOpenAPI31Document(ABOUT)),
};

const routes = [
  submitJobs,
  getJobs,
  exportCsv,
  exportNdjson,
  getJob,
  requeueJob,
  cancelJob,
  postBulk,
  getBulkCount,
  getOperations,
  getOperation,
  abortOperationCall,
  againOperationCall,
  getActivity,
  getKinds,
  pauseKindCall,
  resumeKindCall,
  limitKindCall,
  getStats,
  getOverview,
  getCauses,
  getCause,
  getLetters,
  postReplay,
  postReplaying,
  getRetention,
  putRetention,
  getSubmitters,
  limitSubmitter,
  getMail,
  postSignup,
  getEndpoints,
  postEndpoint,
  getEndpoint,
  disableEndpoint,
  enableEndpoint,
  rotateEndpoint,
  deleteEndpoint,
  resendDelivery,
  getFiles,
  beginFile,
  getFile,
  putPart,
  completeFile,
  deleteFile,
  getSchedules,
  postSchedule,
  getSchedule,
  putSchedule,
  pauseScheduleCall,
  resumeScheduleCall,
  runScheduleCall,
  deleteScheduleCall,
  getWatches,
  postWatch,
  getWatch,
  putWatch,
  pauseWatchCall,
  resumeWatchCall,
  checkWatchCall,
  deleteWatchCall,
  getAlerts,
  postAlertRule,
  putAlertRule,
  enableAlertRule,
  disableAlertRule,
  testAlertRule,
  deleteAlertRule,
  getTokens,
  postToken,
  revokeTokenCall,
  getPeople,
  putPerson,
  removePerson,
  putDefaultRole,
  getHealth,
  getDocument,
];

/** Answers /api/v1. Who may ask was settled before. */
export const handleApi = async (request: Request, app: App): Promise<Response> => hono.fetch(request, app);

const hono = new OpenAPIHono<{ Bindings: App }>().basePath(BASE);
hono.openAPIRegistry.registerComponent("securitySchemes", "bearer", SECURITY);
for (const route of routes) {
  hono.openAPIRegistry.registerPath(entryOf(route));
  hono.on(route.method.toUpperCase(), honoPath(route.path), (c) => {
    const url = new URL(c.req.url);
    const wrong = queryProblem(url, route);
    return wrong
      ? problemResponse(wrong)
      : route.handle({ request: c.req.raw, url, params: c.req.param(), app: c.env });
  });
}
for (const path of new Set(routes.map((route) => route.path))) {
  const allow = routes
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  hono.all(honoPath(path), (c) => {
    const detail = `${c.req.method} is not answered here: ${allow.join(", ")}`;
    return problemResponse(problem(405, "method-not-allowed", detail), { Allow: allow.join(", ") });
  });
}
hono.notFound((c) =>
  problemResponse(problem(404, "no-such-path", `nothing is at ${c.req.path}: ${BASE}/openapi.json says what is`)),
);
hono.onError((error, c) => failure(error, c.req.raw, c.req.path, c.env.engine));

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function queryProblem(url: URL, { query = z.strictObject({}) }: Route) {
  const names = [...url.searchParams.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return problemOf({ status: 400, code: "invalid", problems: [{ path: twice, message: "is given twice" }] });
  }
  const parsed = query.safeParse(Object.fromEntries(url.searchParams));
  return parsed.success ? null : problemOf({ status: 400, code: "invalid", problems: problemsOf(parsed.error) });
}
