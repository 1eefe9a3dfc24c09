import type { Statement } from "~/store/store";
import type { Break } from "./breaks";

/** Cuts guards out of the text of statements, and knows which clauses it has met. */
export class Cutter {
  readonly found = new Set<string>();

  constructor(private readonly broken: Break | null) {}

  cut(statement: Statement): Statement {
    if (!this.broken) return statement;
    let { sql } = statement;
    for (const [clause, instead = ""] of this.broken.cut) {
      if (!sql.includes(clause)) continue;
      this.found.add(clause);
      sql = sql.replaceAll(clause, instead);
    }
    return { ...statement, sql };
  }
}
