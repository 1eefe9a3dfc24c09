import type { Furnished } from "./furnish.ts";

/** Every page that shows something of what a furnished site holds, by the name of its picture. */
export const pagesOf = (at: Furnished, job: { dead: string; done: string; waiting: string }, cause: string) => ({
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
  schedule: `/schedules/${at.schedule}`,
  scheduleEdit: `/schedules/${at.schedule}/edit`,
  watch: `/watches/${at.watch}`,
  endpoint: `/endpoints/${at.endpoint}`,
  alertRule: `/alerts/${at.rule}`,
  mail: `/mail/${at.mail}`,
  report: `/reports/${at.day}`,
});

/** Those that are there before anything else is. */
export const PLAIN = {
  overview: "/",
  jobs: "/jobs",
  dead: "/dead",
  submit: "/submit",
  submitMail: "/submit?kind=send_email",
  kinds: "/kinds",
  operations: "/operations",
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
  reports: "/reports",
  signup: "/examples/signup",
  nowhere: "/nowhere",
};
