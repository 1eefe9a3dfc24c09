import { byteLength } from "~/domain/text";
import { DatabaseError } from "./errors";

/** Production takes 2,000,000 bytes a value, this runtime 4 MiB: we stop well before both. */
export const PARAMETER_BYTES = 1_000_000;

const D1_CLOCK = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

export type Statement = { sql: string; params: (string | number | null)[] };
export type Rows = Record<string, unknown>[];
/** A statement that took long: in ms of D1's own, what it read and wrote, and how its text begins. */
export type Slow = { ms: number; rowsRead: number; rowsWritten: number; statement: string };
export type Used = { calls: number; statements: number; rowsRead: number; rowsWritten: number };

/**
 * The only door to D1. Counts what is used, refuses parameters that only production would refuse, and owns the time:
 * `{now}` in a statement is D1's own clock, or the number that `clock` gives where a test or the simulator sets one.
 */
export class Store {
  /** Whether the last call got no answer. */
  away = false;
  private slow: { fromMs: number; tell: (slow: Slow) => void } | undefined;
  readonly used: Used = { calls: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };

  constructor(
    private readonly db: D1Database,
    private readonly clock?: () => number,
  ) {}

  /** Tells from now on of each statement that takes D1 `fromMs` or more. */
  tellSlow(fromMs: number, tell: (slow: Slow) => void): this {
    this.slow = { fromMs, tell };
    return this;
  }

  /** One transaction: all statements or none. Throws a DatabaseError; after a lost reply it may have committed. */
  async batch(statements: Statement[]): Promise<Rows[]> {
    const now = this.clock ? String(Math.trunc(this.clock())) : D1_CLOCK;
    const prepared = statements.map(({ sql, params }) => {
      for (const param of params) {
        if (typeof param === "string" && param.length * 3 > PARAMETER_BYTES && byteLength(param) > PARAMETER_BYTES) {
          throw new RangeError(`a parameter of ${byteLength(param)} bytes is over ${PARAMETER_BYTES}`);
        }
      }
      return this.db.prepare(sql.replaceAll("{now}", now)).bind(...params);
    });
    this.used.calls++;
    this.used.statements += prepared.length;
    const results = await this.db.batch<Record<string, unknown>>(prepared).catch((cause: unknown) => {
      const error = new DatabaseError(cause);
      this.away = error.trouble !== "refused";
      throw error;
    });
    this.away = false;
    for (const [i, { meta }] of results.entries()) {
      const { rows_read: rowsRead = 0, rows_written: rowsWritten = 0, duration: ms = 0 } = meta;
      this.used.rowsRead += rowsRead;
      this.used.rowsWritten += rowsWritten;
      if (this.slow && ms >= this.slow.fromMs) {
        this.slow.tell({ ms, rowsRead, rowsWritten, statement: beginning((statements[i] as Statement).sql) });
      }
    }
    return results.map((result) => result.results);
  }
}

/** Enough to know it by; what is bound is left out, for payloads hold secrets. */
const beginning = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 120);

export const sql = (text: string, ...params: Statement["params"]): Statement => ({ sql: text, params });

/** Cuts `items` into groups whose encodings, as one JSON array, fit into one parameter each. One that fits alone nowhere is alone. */
export function inParameters<T>(items: T[], encode: (item: T) => string): T[][] {
  const groups: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const bytes = byteLength(encode(item)) + 1;
    if (size + bytes > PARAMETER_BYTES - 2) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(item);
    size += bytes;
  }
  return groups;
}
