/** A value of JavaScript as JSON, or why it is none: what JSON would silently change is refused, but dates, which are texts there. */
export type JsonOf = { ok: true; text: string } | { ok: false; message: string };

export function jsonOf(value: unknown): JsonOf {
  try {
    const text = JSON.stringify(value, plain);
    return text === undefined ? { ok: false, message: "there is no value" } : { ok: true, text };
  } catch (error) {
    if (error instanceof Foreign) return { ok: false, message: error.message };
    if (error instanceof RangeError) return { ok: false, message: "is nested too deep" };
    // The one thing that is left to refuse.
    return { ok: false, message: "holds itself" };
  }
}

class Foreign extends Error {}

/** `this` holds the value before any `toJSON` of it was asked. */
function plain(this: unknown, key: string, value: unknown): unknown {
  const what = foreign((this as Record<string, unknown>)[key], Array.isArray(this));
  if (what !== null) throw new Foreign(`${key === "" ? "this" : `"${key}"`} is ${what}, which is no JSON`);
  return value;
}

function foreign(value: unknown, inArray: boolean): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : String(value);
  if (value === undefined) return inArray ? "undefined" : null;
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date" : null;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null ? null : `a ${value.constructor?.name ?? "special object"}`;
}
