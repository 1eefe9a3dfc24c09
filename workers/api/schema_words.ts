import { z } from "@hono/zod-openapi";

/** What the schemas of the document are made of. */
export const time = z.iso
  .datetime({ precision: 3 })
  .openapi({ description: "RFC 3339, UTC, milliseconds", example: "2026-12-01T10:00:00.000Z" });
export const text = z.string();
export const count = z.int();
export const at = { revision: count.openapi({ description: "of the site, at the moment of reading" }), now: time };
/** Of what is made by a call whose answer may be lost. */
export const callId = z
  .uuidv7()
  .optional()
  .describe("made by the caller: the call sent again with it makes one, and answers with it");
