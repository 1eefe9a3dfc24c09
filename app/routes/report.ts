import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import stylesheet from "~/app.css?url";
import { appContext } from "~/cloudflare";
import { ReportDocument } from "~/components/report/document";
import { ReportPage } from "~/components/report/report_page";
import { dayStart, type Report } from "~/domain/report/report";
import { instant } from "~/domain/time";
import { itemOf } from "~/lifecycle/publish";
import { type Publication, readPublication } from "~/store/publications";
import type { Route } from "./+types/report";
import { type Made, publicPage } from "./support/public_page.server";

const LIFE_MS = 300_000;

/** One day's report, or with `.svg` its picture. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  return publicPage(request, app, { path: `/reports/${params.day}`, longestMs: LIFE_MS }, async () => {
    const [, day = "", svg] = /^(.*?)(\.svg)?$/.exec(params.day) ?? [];
    const found = dayStart(day) === null ? null : await readPublication(app.engine.store, itemOf(day));
    if (found?.state !== "published") return NOTHING;
    return svg ? pictureOf(found) : pageOf(found);
  });
}

const NOTHING: Made = { status: 404, type: "text/plain; charset=utf-8", body: "no report of this day is published\n" };

const robots = (found: Publication): Record<string, string> => (found.indexable ? {} : { "X-Robots-Tag": "noindex" });

const pictureOf = (found: Publication): Made =>
  found.picture === null
    ? NOTHING
    : { status: 200, type: "image/svg+xml", body: found.picture, headers: robots(found) };

function pageOf(found: Publication): Made {
  const report = JSON.parse(found.content) as Report;
  const body = createElement(ReportPage, {
    report,
    picture: found.picture !== null && report.kinds.length > 0,
    version: found.version,
    changed: `${instant(found.changedAt).slice(0, 16).replace("T", " ")} UTC`,
  });
  const page = createElement(
    ReportDocument,
    { title: `Report of ${report.day}`, stylesheet, indexable: found.indexable === 1 },
    body,
  );
  return {
    status: 200,
    type: "text/html; charset=utf-8",
    body: `<!doctype html>${renderToStaticMarkup(page)}`,
    headers: robots(found),
  };
}
