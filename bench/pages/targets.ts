import type { Api } from "../../e2e/api.ts";
import { furnish } from "../../e2e/furnish.ts";

/** Addresses by name. */
export type Targets = { pages: Record<string, string>; feeds: Record<string, string> };

/** Every page of the dashboard, and every feed that one of them polls, of a site that has jobs and is furnished here. */
export async function targetsOf(api: Api): Promise<Targets> {
  const at = await furnish(api);
  const { jobs } = (await (await api.call("GET", "/jobs?view=dead&limit=1")).json()) as {
    jobs: { id: string; cause: string }[];
  };
  const [dead] = jobs;
  if (!dead) throw new Error("nothing is dead here");
  const cause = encodeURIComponent(dead.cause);
  const next = async (list: string) =>
    ((await (await api.call("GET", `/jobs?${list}`)).json()) as { next: string | null }).next ?? "";
  const middle = encodeURIComponent(await next("limit=25"));
  return {
    pages: await arrived(api.url, {
      overview: "/",
      overview30d: "/?range=30d",
      jobs: "/jobs",
      jobsDead: "/jobs?view=dead",
      jobsDone: "/jobs?view=done",
      jobsOfKind: "/jobs?kind=send_email",
      jobsOfCause: `/jobs?view=dead&cause=${cause}`,
      jobsSecondPage: `/jobs?cursor=${middle}`,
      jobsByEnd: "/jobs?sort=finished",
      jobsSearched: "/jobs?q=nowhere",
      job: `/jobs/${dead.id}`,
      dead: "/dead",
      cause: `/causes/${cause}`,
      submit: "/submit?kind=http_request",
      kinds: "/kinds",
      operations: "/operations",
      operation: `/operations/${at.operation}`,
      activity: "/activity",
      bulk: "/bulk?action=requeue&view=dead",
      files: "/files",
      file: `/files/${at.file}`,
      schedules: "/schedules",
      schedule: `/schedules/${at.schedule}`,
      scheduleNew: "/schedules/new",
      watches: "/watches",
      watch: `/watches/${at.watch}`,
      endpoints: "/endpoints",
      endpoint: `/endpoints/${at.endpoint}`,
      alerts: "/alerts",
      alertRule: `/alerts/${at.rule}`,
      mailbox: "/mail",
      mail: `/mail/${at.mail}`,
      reports: "/reports",
      report: `/reports/${at.day}`,
      settings: "/settings",
    }),
    feeds: {
      stats: "/api/v1/stats",
      overview: "/api/v1/overview",
      overview1h: "/api/v1/overview?range=1h",
      overview7d: "/api/v1/overview?range=7d",
      overview30d: "/api/v1/overview?range=30d",
      jobs: "/api/v1/jobs?limit=25",
      jobsDead: "/api/v1/jobs?view=dead&limit=25",
      jobsDone: "/api/v1/jobs?view=done&limit=25",
      jobsOfKind: "/api/v1/jobs?kind=send_email&limit=25",
      jobsOfCause: `/api/v1/jobs?view=dead&cause=${cause}&limit=25`,
      jobsSecondPage: `/api/v1/jobs?cursor=${middle}&limit=25`,
      jobsByEnd: "/api/v1/jobs?sort=finished&limit=25",
      jobsSearched: "/api/v1/jobs?q=nowhere&limit=25",
      job: `/api/v1/jobs/${dead.id}`,
      causes: "/api/v1/causes",
      cause: `/api/v1/causes/${cause}`,
      kinds: "/api/v1/kinds",
      operations: "/api/v1/operations",
      operation: `/api/v1/operations/${at.operation}`,
      activity: "/api/v1/audit",
      files: "/api/v1/files",
      file: `/api/v1/files/${at.file}`,
      schedules: "/api/v1/schedules",
      schedule: `/api/v1/schedules/${at.schedule}`,
      watches: "/api/v1/watches",
      watch: `/api/v1/watches/${at.watch}`,
      endpoints: "/api/v1/endpoints",
      endpoint: `/api/v1/endpoints/${at.endpoint}`,
      alerts: "/api/v1/alerts",
      mail: "/api/v1/mail",
    },
  };
}

/** Where each leads in the end: a page may add to its own address. */
async function arrived(origin: string, pages: Record<string, string>): Promise<Record<string, string>> {
  const led = Object.entries(pages).map(async ([name, path]) => {
    const { url, status } = await fetch(origin + path);
    if (status !== 200) throw new Error(`${name} answered ${status}`);
    return [name, url.slice(origin.length)];
  });
  return Object.fromEntries(await Promise.all(led));
}
