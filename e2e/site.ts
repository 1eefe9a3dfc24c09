import type { Api, JobRow } from "./api.ts";
import { type Furnished, furnish } from "./furnish.ts";
import { addresses } from "./routes.ts";

/** Furnishes a site that has jobs. Answers every page of it, by the name of its picture; `died`: which of its dead jobs is shown. */
export async function furnishedPages(api: Api, died = "view=dead"): Promise<Record<string, string>> {
  const at = await furnish(api);
  const one = async (list: string) =>
    ((await (await api.call("GET", `/jobs?limit=1&${list}`)).json()) as { jobs: [JobRow] }).jobs[0];
  const dead = await one(died);
  const jobs = { dead: dead.id, done: (await one("view=done")).id, waiting: (await one("view=retrying")).id };
  return pagesOf(at, jobs, dead.cause as string);
}

const pagesOf = (at: Furnished, job: { dead: string; done: string; waiting: string }, cause: string) => ({
  ...PLAIN,
  jobsDead: "/jobs?view=dead",
  jobsSearched: `/jobs?q=${encodeURIComponent("state:dead,retrying kind:http_request")}`,
  jobDead: `/jobs/${job.dead}`,
  jobDone: `/jobs/${job.done}`,
  jobWaiting: `/jobs/${job.waiting}`,
  cause: `/causes/${encodeURIComponent(cause)}`,
  bulk: "/bulk?action=delete&view=dead",
  operation: `/operations/${at.operation}`,
  file: `/files/${at.file}`,
  fileDelete: `/files/${at.file}/delete`,
  schedule: `/schedules/${at.schedule}`,
  scheduleEdit: `/schedules/${at.schedule}/edit`,
  scheduleDelete: `/schedules/${at.schedule}/delete`,
  watch: `/watches/${at.watch}`,
  watchEdit: `/watches/${at.watch}/edit`,
  watchDelete: `/watches/${at.watch}/delete`,
  endpoint: `/endpoints/${at.endpoint}`,
  endpointRotate: `/endpoints/${at.endpoint}/rotate`,
  endpointDelete: `/endpoints/${at.endpoint}/delete`,
  alertRule: `/alerts/${at.rule}`,
  alertDelete: `/alerts/${at.rule}/delete`,
  tokenRevoke: `/settings/tokens/${at.token}/revoke`,
  mail: `/mail/${at.mail}`,
  report: `/reports/${at.day}`,
});

/** Those that are there before anything else is. */
export const PLAIN = {
  overview: "/",
  jobs: "/jobs",
  dead: "/dead",
  deadLetters: "/dead/letters",
  submit: "/submit",
  submitMail: "/submit?kind=send_email",
  kinds: "/kinds",
  operations: "/operations",
  activity: "/activity",
  files: "/files",
  schedules: "/schedules",
  scheduleNew: "/schedules/new",
  watches: "/watches",
  watchNew: "/watches/new",
  mailbox: "/mail",
  endpoints: "/endpoints",
  endpointNew: "/endpoints/new",
  alerts: "/alerts",
  alertNew: "/alerts/new",
  settings: "/settings",
  tokens: "/settings/tokens",
  people: "/settings/people",
  reports: "/reports",
  signup: "/examples/signup",
  nowhere: "/nowhere",
};

/** Addresses of pages that are none of these. What only takes forms, or gives out files, is no page. */
export async function pagesWithout(pages: Record<string, string>, origin: string): Promise<string[]> {
  const paths = Object.values(pages).map((path) => path.split("?")[0] as string);
  const missing = (await addresses()).filter((address) => !paths.some((path) => patternOf(address).test(path)));
  const answers = await Promise.all(missing.map((address) => fetch(origin + exampleOf(address, paths))));
  return missing.filter((_, index) => {
    const { status, redirected, headers } = answers[index] as Response;
    return status < 400 && !redirected && headers.get("content-type")?.startsWith("text/html");
  });
}

const patternOf = (address: string): RegExp => new RegExp(`^${address.replace(/\/(:\w+|\*)/g, "/[^/]+")}$`);

/** With the parameters of the page above it. */
function exampleOf(address: string, paths: string[]): string {
  const [, list = ""] = address.split("/");
  const above = paths.find(
    (path) => path.startsWith(`/${list}/`) && path.split("/").length === 3 && !/new$/.test(path),
  );
  return address.replace(/:\w+/g, above?.split("/")[2] ?? "none");
}
