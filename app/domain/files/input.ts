import { z } from "zod";
import { DELIMITERS, FILE_NAME_CHARS, FORMATS } from "./files";

/** How a file is to be read. */
export const READING = z.strictObject({
  format: z
    .enum(FORMATS)
    .default("auto")
    .describe("auto goes by the file's name: .csv, .ndjson and .jsonl; all else is bytes: size and SHA-256 only"),
  delimiter: z.enum(DELIMITERS).default(",").describe("between the fields of a CSV file"),
  strict: z
    .boolean()
    .default(true)
    .describe("a CSV row with more fields than the header, or a broken quote, ends the job; false: it is reported"),
});

export const FILE_NAME = z
  .string()
  .min(1)
  .max(FILE_NAME_CHARS)
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), "must be text without control characters");
