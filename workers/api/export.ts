import { z } from "@hono/zod-openapi";
import type { JobPage } from "~/domain/feeds";
import { EXPORT_FORMATS, EXPORT_ROWS, type ExportFormat } from "~/domain/query/export";
import { EXPORT_FILTER } from "~/domain/query/filter";
import { exportJobs } from "~/store/reads/export";
import { FILTER_WORDS } from "./jobs";
import type { Route } from "./route";

const { limit: _, since: __, brief: ___, ...parameters } = FILTER_WORDS;

const exportOf = (format: ExportFormat, cut: string): Route => ({
  method: "get",
  path: `/jobs.${format}`,
  summary: `Jobs as ${format.toUpperCase()}`,
  description: `The same list as a file, at most ${EXPORT_ROWS} jobs, sent as it is read. ${cut}`,
  query: EXPORT_FILTER,
  parameters: z.object(parameters),
  answers: { 200: { description: "A job a line", content: { [EXPORT_FORMATS[format].type]: { schema: z.string() } } } },
  problems: {},
  async handle({ url, app: { engine } }) {
    const filter = EXPORT_FILTER.parse(Object.fromEntries(url.searchParams));
    const pages = exportJobs(engine.store, filter, engine.settings.statements);
    // The first page before the answer: a database that is away is told as such, not by a file that breaks off.
    const first = (await pages.next()).value as JobPage;
    const name = `jobs-${first.now.slice(0, 19).replaceAll(":", "")}Z.${format}`;
    return new Response(fileOf(format, first, pages), {
      headers: {
        "Content-Type": EXPORT_FORMATS[format].type,
        "Content-Disposition": `attachment; filename="${name}"`,
        "Cache-Control": "no-store",
      },
    });
  },
});

export const exportCsv = exportOf(
  "csv",
  "What a spreadsheet would take for a formula has a ' before it. A file that was cut short says so in its last line.",
);
export const exportNdjson = exportOf("ndjson", "A file that was cut short ends with `cutShort`, and in it `next`.");

function fileOf(format: ExportFormat, first: JobPage, pages: AsyncGenerator<JobPage, void, void>): ReadableStream {
  const { head, row, cut } = EXPORT_FORMATS[format];
  let page = first;
  let rows = 0;
  const text = (): string => {
    rows += page.jobs.length;
    return page.jobs.map(row).join("");
  };
  return new ReadableStream<string>({
    start: (controller) => controller.enqueue(head() + text()),
    async pull(controller) {
      const { value, done } = await pages.next();
      if (value) {
        page = value;
        controller.enqueue(text());
      }
      if (!done) return;
      if (page.next !== null) controller.enqueue(cut(rows, page.next));
      controller.close();
    },
    cancel: () => void pages.return(),
  }).pipeThrough(new TextEncoderStream());
}
