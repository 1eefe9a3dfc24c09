/** What a form draws for one value: derived from a kind's schema, so that a kind has a form without writing one. */
export type Spec = {
  draws:
    | "line"
    | "text"
    | "number"
    | "choice"
    | "yes-no"
    | "time"
    | "date"
    | "file"
    | "object"
    | "list"
    | "map"
    | "json";
  required: boolean;
  hint?: string;
  /** Of choices. */
  options?: string[];
  /** Of json: plain text is taken too. */
  orText?: true;
  /** Of objects, in order. */
  fields?: [name: string, spec: Spec][];
  /** Of lists. */
  item?: Spec;
};

/** As zod writes it down; only what is looked at here. */
export type JsonSchema = {
  type?: string;
  format?: string;
  is?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
};

/** What no field can be drawn for is JSON in a field of its own. */
export function specOf(schema: JsonSchema, required = true): Spec {
  const hint = hintOf(schema);
  const base = { required, ...(hint && { hint }) };
  if (schema.enum?.every((one) => typeof one === "string")) {
    return { ...base, draws: "choice", options: schema.enum as string[] };
  }
  switch (schema.type) {
    case "string":
      return { ...base, draws: textOf(schema) };
    case "integer":
    case "number":
      return { ...base, draws: "number" };
    case "boolean":
      return { ...base, draws: "yes-no" };
    case "array":
      return schema.items ? { ...base, draws: "list", item: specOf(schema.items) } : { ...base, draws: "json" };
    case "object":
      return objectOf(schema, base);
    default: {
      const any = schema.anyOf ?? schema.oneOf ?? [];
      return { ...base, draws: "json", ...(takesText(any) && { orText: true as const }) };
    }
  }
}

function textOf({ format, is, maxLength, pattern }: JsonSchema): Spec["draws"] {
  if (is === "file") return "file";
  if (format === "date") return "date";
  if (format === "date-time") return "time";
  return maxLength === undefined && pattern === undefined && format === undefined ? "text" : "line";
}

function objectOf(schema: JsonSchema, base: Pick<Spec, "required" | "hint">): Spec {
  const { properties = {}, required = [], additionalProperties: more } = schema;
  const names = Object.keys(properties);
  const open = typeof more === "object";
  if (names.length === 0 && open && more.type === "string") return { ...base, draws: "map" };
  // Fields of any name beside the named ones, or of any value: no form has room for them.
  if (names.length === 0 || open) return { ...base, draws: "json" };
  return {
    ...base,
    draws: "object",
    fields: names.map((name) => [name, specOf(properties[name] as JsonSchema, required.includes(name))]),
  };
}

const takesText = (any: JsonSchema[]): boolean =>
  any.some((one) => one.type === "string" || takesText(one.anyOf ?? one.oneOf ?? []));

function hintOf({ description, default: usual, minimum, maximum }: JsonSchema): string | undefined {
  const bounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const parts = [
    description,
    bounded ? `${minimum} to ${maximum}` : undefined,
    usual === undefined || typeof usual === "object" ? undefined : `${JSON.stringify(usual)} where left out`,
  ];
  const text = parts.filter(Boolean).join("; ");
  return text ? `${text[0]?.toUpperCase()}${text.slice(1)}.` : undefined;
}
