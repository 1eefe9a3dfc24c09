import { z } from "zod";
import { type JsonSchema, type Spec, specOf } from "~/domain/form/spec";
import type { Kind } from "~/kinds/define";

/** The form of a kind's input. */
export const specFor = (kind: Kind): Spec =>
  specOf(z.toJSONSchema(kind.input, { io: "input", unrepresentable: "any" }) as JsonSchema);
