import { PermanentError } from "~/domain/errors";
import { COLUMNS, NAMES_CHARS, ROW_CHARS } from "~/domain/files/files";
import { BadLines } from "./bad_lines";
import { Column } from "./columns";
import { Lines } from "./lines";
import { type Table, tooLongRow } from "./table";

/** One JSON object a line. Each stands alone: a line that is none is reported, left out, and spoils no other. */
export class Ndjson implements Table {
  rows = 0;
  kept = 0;
  readonly bad = new BadLines();
  private readonly byName = new Map<string, Column>();
  private readonly derived = new Lines();
  private namesChars = 0;
  private rest = "";
  private line = 0;

  get columns(): Iterable<Column> {
    return this.byName.values();
  }

  *read(text: string, last: boolean): Iterable<string> {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.take(this.rest + text.slice(from, end));
      this.rest = "";
      from = end + 1;
      if (this.derived.full) yield this.derived.take();
    }
    this.rest += text.slice(from);
    if (this.rest.length > ROW_CHARS) throw tooLongRow(this.rows + 1, this.line + 1);
    if (last && this.rest !== "") this.take(this.rest);
    yield this.derived.take();
  }

  /** The derived line is the very text that was there: numbers keep all their digits. */
  private take(raw: string): void {
    this.line++;
    const text = raw.trim();
    if (text === "") return;
    if (raw.length > ROW_CHARS) throw tooLongRow(this.rows + 1, this.line);
    this.rows++;
    const value = text.startsWith("{") ? parsed(text) : null;
    if (!value) {
      const problem = value === undefined ? "is not JSON" : "is no JSON object";
      this.bad.add(this.line, this.rows, `${problem}; left out`);
      return;
    }
    for (const name in value) this.columnOf(name).seeJson(value[name]);
    this.derived.add(text);
    this.derived.add("\n");
    this.kept++;
  }

  private columnOf(name: string): Column {
    const known = this.byName.get(name);
    if (known) return known;
    if (this.byName.size === COLUMNS) {
      throw new PermanentError(
        `row ${this.rows}, line ${this.line}: more than ${COLUMNS} different names, which is the limit`,
      );
    }
    this.namesChars += name.length;
    if (this.namesChars > NAMES_CHARS) {
      throw new PermanentError(
        `row ${this.rows}, line ${this.line}: names of over ${NAMES_CHARS} characters in all, which is the limit`,
      );
    }
    const column = new Column(name, true);
    this.byName.set(name, column);
    return column;
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
