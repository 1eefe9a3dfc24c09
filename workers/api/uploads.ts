import { z } from "@hono/zod-openapi";
import { FILE_BYTES, PART_BYTES } from "~/domain/files/files";
import { FILE_NAME, READING } from "~/domain/files/input";
import { ACTION_BYTES } from "~/domain/limits";
import { problem } from "~/domain/problem";
import { beginUpload } from "~/lifecycle/files/begin";
import { completeUpload } from "~/lifecycle/files/complete";
import { takePart } from "~/lifecycle/files/part";
import { json } from "./answers";
import { isProblem, problemResponse, readAction } from "./body";
import { begunUpload, completedUpload, takenPart } from "./file_schemas";
import { noBucket, noSuchFile } from "./files";
import type { Route } from "./route";
import { dayIsFull } from "./submit";

const notUploading = () =>
  problemResponse(problem(409, "not-uploading", "this file is not uploading any more: begin a new upload"));
const unknown = { 404: "no file with this id is stored" };

const NEW_FILE = z
  .strictObject({
    name: FILE_NAME,
    size: z.int().min(0).describe(`in bytes, exactly; at most ${FILE_BYTES}`),
    ...READING.shape,
  })
  .openapi("NewFile");

export const beginFile: Route = {
  method: "post",
  path: "/files",
  summary: "Begin to upload a file",
  description: `Then send its parts, and complete it. All parts have ${PART_BYTES} bytes, the last one what is left; in any order, and again as often as needed. An upload that is not complete after 24 hours is taken away.`,
  body: {
    required: true,
    description: `Its name, and its exact size: at most ${FILE_BYTES} bytes.`,
    schema: NEW_FILE,
  },
  answers: {
    201: {
      description: "Its parts are expected.",
      headers: z.object({ Location: z.string() }),
      content: { "application/json": { schema: begunUpload } },
    },
  },
  problems: {
    413: `the file is over ${FILE_BYTES} bytes, or the body over ${ACTION_BYTES}`,
    415: "the body is not application/json",
  },
  async handle({ request, app }) {
    const asked = await readAction(request, NEW_FILE);
    if (isProblem(asked)) return problemResponse(asked);
    const { name, size, ...reading } = asked;
    const begun = await beginUpload(app.engine, { name, size, reading }, app.identity.name);
    if (begun.kind === "no-bucket") return noBucket();
    if (begun.kind === "too-large") return tooLarge(size);
    const { id, partBytes, parts } = begun;
    return json({ id, partBytes, parts }, 201, { Location: `/api/v1/files/${id}` });
  },
};

function tooLarge(size: number): Response {
  const message = `the file has ${size} bytes, at most ${FILE_BYTES} are taken`;
  return problemResponse(
    problem(413, "too-large-file", message, { errors: [{ path: "size", message, limit: FILE_BYTES }] }),
  );
}

export const putPart: Route = {
  method: "put",
  path: "/files/{id}/parts/{number}",
  summary: "Send one part of a file",
  body: {
    required: true,
    description: "The part's bytes, and nothing else.",
    schema: z.string().openapi({ format: "binary" }),
    type: "application/octet-stream",
  },
  answers: { 200: { description: "It is kept", content: { "application/json": { schema: takenPart } } } },
  problems: { ...unknown, 409: "the file is not uploading any more" },
  async handle({ request, params: { id = "", number = "" }, app }) {
    const length = request.headers.get("content-length");
    const declared = length === null ? null : Number(length);
    const n = /^\d{1,5}$/.test(number) ? Number(number) : 0;
    const taken = await takePart(app.engine, id, n, request.body, declared);
    switch (taken.kind) {
      case "taken":
        return json({ number: taken.number, bytes: taken.bytes });
      case "wrong-size":
        return wrongSize(n, taken.bytes);
      case "no-such-part":
        return problemResponse(problem(404, "no-such-part", "the file has no part of this number: they begin at 1"));
      case "not-uploading":
        return notUploading();
      case "not-found":
        return noSuchFile();
      case "no-bucket":
        return noBucket();
    }
  },
};

function wrongSize(number: number, bytes: number): Response {
  const message = `part ${number} of this file has exactly ${bytes} bytes`;
  return problemResponse(problem(400, "wrong-size", message, { errors: [{ path: "", message, limit: bytes }] }));
}

export const completeFile: Route = {
  method: "post",
  path: "/files/{id}/complete",
  summary: "Make one file of its parts, and process it",
  description: "Safe to repeat: it answers with the same job.",
  answers: {
    202: {
      description: "Stored; a job reads it. Its address is in Location.",
      headers: z.object({ Location: z.string() }),
      content: { "application/json": { schema: completedUpload } },
    },
  },
  problems: {
    ...unknown,
    409: "parts are missing: `missing` says which; or the upload was given up",
    429: "the submitter's day is full; the file is stored, complete it again when the day has ended",
  },
  async handle({ params: { id = "" }, app }) {
    const done = await completeUpload(app.engine, id, app.identity.name);
    switch (done.kind) {
      case "submitted":
        return json({ id, jobId: done.jobId }, 202, { Location: `/api/v1/jobs/${done.jobId}` });
      case "full":
        return dayIsFull(done);
      case "incomplete":
        return incomplete(done.missing);
      case "expired":
        return notUploading();
      case "not-found":
        return noSuchFile();
      case "no-bucket":
        return noBucket();
    }
  },
};

const MISSING_SHOWN = 100;

function incomplete(missing: number[]): Response {
  const detail = `${missing.length} parts are missing: ${missing.slice(0, 10).join(", ")}${missing.length > 10 ? " …" : ""}`;
  return problemResponse(problem(409, "incomplete", detail, { missing: missing.slice(0, MISSING_SHOWN) }));
}
