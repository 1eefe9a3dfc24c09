import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/overview.tsx"),
  route("jobs", "routes/jobs.tsx"),
  route("jobs/:id", "routes/job.tsx"),
  route("jobs/:id/requeue", "routes/requeue.ts"),
  route("jobs/:id/cancel", "routes/cancel.ts"),
  route("jobs/:id/payload", "routes/payload.ts"),
  route("dead", "routes/dead.tsx"),
  route("submit", "routes/submit.tsx"),
  route("settings", "routes/settings.tsx"),
  route("settings/limit", "routes/settings_limit.ts"),
  route("reports", "routes/reports.ts"),
  route("reports/:day", "routes/report.ts"),
  route("mail", "routes/mailbox.tsx"),
  route("mail/:id", "routes/mail.tsx"),
  route("mail/:id/html", "routes/mail_html.ts"),
  route("examples/signup", "routes/signup.tsx"),
  route("preferences", "routes/preferences.ts"),
  route("*", "routes/not_found.ts"),
] satisfies RouteConfig;
