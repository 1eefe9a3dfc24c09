import type { Statement } from "~/store/store";
import type { Break } from "./breaks";

/** Whole, by name. */
const triggers = new Map<string, string>();

/** Cuts guards out of the text of statements, and knows which clauses it has met. */
export class Cutter {
  readonly found = new Set<string>();

  constructor(private readonly broken: Break | null) {}

  cut(statement: Statement): Statement {
    return this.broken ? { ...statement, sql: this.cutText(statement.sql) } : statement;
  }

  /** Triggers are statements too. `db` has them as the migrations made them, or as a simulation before has left them. */
  async cutTriggers(db: D1Database): Promise<void> {
    const { results } = await db
      .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      .all<{ name: string; sql: string }>();
    for (const { name, sql } of results) {
      const whole = triggers.get(name) ?? sql;
      triggers.set(name, whole);
      const wanted = this.cutText(whole);
      if (wanted !== sql) await db.batch([db.prepare(`DROP TRIGGER ${name}`), db.prepare(wanted)]);
    }
  }

  private cutText(text: string): string {
    let sql = text;
    for (const [clause, instead = ""] of this.broken?.cut ?? []) {
      if (!sql.includes(clause)) continue;
      this.found.add(clause);
      sql = sql.replaceAll(clause, instead);
    }
    return sql;
  }
}
