import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import stylesheet from "~/app.css?url";
import { appContext } from "~/cloudflare";
import { ReportDocument } from "~/components/report/document";
import { ReportList } from "~/components/report/report_list";
import { inGrace } from "~/domain/report/public_page";
import { DAY_MS, dayOf, dayStart } from "~/domain/report/report";
import { itemOf } from "~/lifecycle/publish";
import { listPublications, readPublication } from "~/store/publications";
import type { Route } from "./+types/reports";
import { type Made, publicPage } from "./support/public_page.server";

const LIFE_MS = 60_000;
const SHOWN = 30;

/** The list of daily reports. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const asked = new URL(request.url).searchParams.get("before") ?? "";
  const before = dayStart(asked) === null ? undefined : itemOf(asked);
  const path = before ? `/reports?before=${asked}` : "/reports";
  return publicPage(request, app, { path, longestMs: LIFE_MS }, async (now): Promise<Made> => {
    const rows = await listPublications(app.engine.store, SHOWN + 1, before);
    const reports = rows.slice(0, SHOWN).map(({ item, version }) => ({ day: item.slice(itemOf("").length), version }));
    const finished = dayOf(now - DAY_MS);
    // Where there is none at all, the first one is yet to come.
    const absent = before === undefined && reports.length > 0 && !reports.some(({ day }) => day === finished);
    // One that was withdrawn is not late.
    const missing = absent && (await readPublication(app.engine.store, itemOf(finished))) === null;
    const list = createElement(ReportList, {
      reports,
      missing: missing ? { day: finished, late: !inGrace(now) } : null,
      older: rows.length > SHOWN ? (reports.at(-1)?.day ?? null) : null,
    });
    const page = createElement(ReportDocument, { title: "Daily reports", stylesheet, indexable: false }, list);
    return { status: 200, type: "text/html; charset=utf-8", body: `<!doctype html>${renderToStaticMarkup(page)}` };
  });
}
