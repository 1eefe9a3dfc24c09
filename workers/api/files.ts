import { z } from "@hono/zod-openapi";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { problem } from "~/domain/problem";
import { removeFile } from "~/lifecycle/files/remove";
import { listFiles, readFileRow } from "~/store/reads/files";
import { fresh, json } from "./answers";
import { problemResponse } from "./body";
import { fileDetail, filePage } from "./file_schemas";
import type { Route } from "./route";

export const noSuchFile = () => problemResponse(problem(404, "no-such-file", "no file with this id is stored"));
export const noBucket = () =>
  problemResponse(problem(503, "no-bucket", "this deployment has no bucket for files: bind one as FILES"));
const unknown = { 404: "no file with this id is stored" };

export const deleteFile: Route = {
  method: "post",
  path: "/files/{id}/delete",
  summary: "Remove a file and what was made of it, or give up its upload",
  description: "Its jobs stay as they are; one that still is to read it dies.",
  answers: {
    200: {
      description: "It is gone",
      content: { "application/json": { schema: z.object({ id: z.string(), removed: z.literal(true) }) } },
    },
  },
  problems: unknown,
  async handle({ params: { id = "" }, app }) {
    const done = await removeFile(app.engine, id, app.identity.name);
    if (done.kind === "no-bucket") return noBucket();
    return done.kind === "not-found" ? noSuchFile() : json({ id, removed: true });
  },
};

const page = z.strictObject({
  before: z.uuidv7().optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
});

export const getFiles: Route = {
  method: "get",
  path: "/files",
  summary: "Uploaded files with their jobs, newest first",
  query: page,
  parameters: z.object({
    before: z.string().optional().openapi({ description: "`next` of a page" }),
    limit: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
  }),
  cached: true,
  answers: { 200: { description: "A page of files", content: { "application/json": { schema: filePage } } } },
  problems: {},
  handle({ request, url, app }) {
    const { before, limit } = page.parse(Object.fromEntries(url.searchParams));
    return fresh(request, app, () => listFiles(app.engine.store, before ?? null, limit));
  },
};

export const getFile: Route = {
  method: "get",
  path: "/files/{id}",
  summary: "One file with its jobs",
  cached: true,
  answers: { 200: { description: "The file", content: { "application/json": { schema: fileDetail } } } },
  problems: unknown,
  async handle({ request, params: { id = "" }, app }) {
    const answer = await fresh(request, app, () => readFileRow(app.engine.store, id));
    return answer.status === 404 ? noSuchFile() : answer;
  },
};
