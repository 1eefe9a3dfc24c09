import { z } from "@hono/zod-openapi";
import { FILE_STATES, type FilePage, type FileRow } from "~/domain/files/files";
import { at, count, text, time } from "./schema_words";
import { jobRow } from "./schemas";

const id = z.uuidv7();

export const begunUpload = z
  .object({ id, partBytes: count, parts: count.openapi({ description: "how many parts there are to send" }) })
  .openapi("BegunUpload");
export const takenPart = z.object({ number: count, bytes: count }).openapi("TakenPart");
export const completedUpload = z.object({ id, jobId: id }).openapi("CompletedUpload");

const file = {
  id,
  name: text,
  state: z.enum(FILE_STATES),
  size: count.nullable().openapi({ description: "bytes; null while a plain form sends it" }),
  createdBy: text,
  createdAt: time,
  storedAt: time.nullable(),
  jobs: z.array(jobRow).openapi({ description: "newest first" }),
};

export const filePage = z
  .object({
    ...at,
    files: z.array(z.object(file).openapi("FileRow")),
    next: text.nullable().openapi({ description: "pass as `before` for the files after these" }),
  })
  .openapi("FilePage") satisfies z.ZodType<FilePage>;
export const fileDetail = z.object({ ...at, ...file }).openapi("FileDetail") satisfies z.ZodType<FileRow>;
