const UNREADABLE = "a value that has no text";
const FIELDS = ["name", "message", "stack"] as const;

/**
 * What a handler threw, as something that can be looked at without another throw: an error whose name, message and stack are
 * text, or a text. Anything can be thrown, and one job's throw must not end the invocation that others run in.
 */
export function readable(thrown: unknown): unknown {
  try {
    if (!(thrown instanceof Error)) return textOf(thrown);
    for (const field of FIELDS) if (typeof thrown[field] !== "string") thrown[field] = String(thrown[field] ?? "");
    return thrown;
  } catch {
    return UNREADABLE;
  }
}

/** Any value as text: what has none of its own is told as such. */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return UNREADABLE;
  }
}
