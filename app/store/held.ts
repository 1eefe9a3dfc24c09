import { open } from "./chain";
import type { Holder } from "./effects";
import { type Statement, type Store, sql } from "./store";

const HELD = (from: number) =>
  `jobs.id = ?${from} AND jobs.attempt = ?${from + 1} AND jobs.token = ?${from + 2} AND +jobs.state = 'processing'`;

/** A statement that does not ask would be written whether its attempt is still held or not. */
function mustAsk(statement: Statement): void {
  if (!statement.sql.includes("{held}")) throw new TypeError(`a guarded statement must ask {held}: ${statement.sql}`);
}

/**
 * Writes statements now, in one transaction, and only while the attempt is held: `{held}` in their text is true then.
 * Answers whether it was. Each must be harmless to repeat: after a lost reply the same batch is sent again.
 */
export async function writeHeld(
  store: Store,
  token: string,
  holder: Holder,
  statements: Statement[],
): Promise<boolean> {
  statements.forEach(mustAsk);
  const who = [holder.id, holder.attempt, holder.token] as const;
  const held = `((SELECT chain FROM site_state WHERE id = 1) IS '${token.replaceAll("'", "''")}')`;
  const results = await store.batch([
    open(token, `SELECT 1 FROM jobs WHERE ${HELD(2)}`, ...who),
    ...statements.map((statement) => ({ ...statement, sql: statement.sql.replaceAll("{held}", held) })),
    sql(`SELECT 1 FROM jobs WHERE ${HELD(1)}`, ...who),
  ]);
  return (results.at(-1) as unknown[]).length > 0;
}
