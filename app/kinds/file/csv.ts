import Papa from "papaparse";
import { PermanentError } from "~/domain/errors";
import { COLUMNS, DELIMITERS, type Delimiter, ROW_CHARS } from "~/domain/files/files";
import { BadLines } from "./bad_lines";
import { Column } from "./columns";
import { Lines } from "./lines";
import { type Table, tooLongRow } from "./table";

/** So much text is parsed at once: a row that goes on is parsed again with what follows it. */
const PIECE_CHARS = 16_384;

type Parsed = { data: string[][]; errors: { row: number; code: string }[]; meta: { cursor: number } };

/**
 * CSV by RFC 4180, with line ends of any kind. The parser is Papa Parse's own core, which takes text that stops in the
 * middle of a row. What has not become a row yet is all that is kept, and that is capped.
 */
export class Csv implements Table {
  columns: Column[] = [];
  rows = 0;
  kept = 0;
  readonly bad = new BadLines();
  private readonly delimiter: Delimiter;
  private readonly strict: boolean;
  private newline: "\n" | "\r" | null = null;
  private rest = "";
  /** Of `rest`, what no parse has seen yet. */
  private fresh = 0;
  private line = 1;
  /** `,"name":"` of each column, with what closes the value before it. */
  private openings: string[] = [];
  private readonly derived = new Lines();

  constructor(delimiter: Delimiter, strict: boolean) {
    this.delimiter = delimiter;
    this.strict = strict;
  }

  *read(text: string, last: boolean): Iterable<string> {
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      const piece = text.slice(at, at + PIECE_CHARS);
      this.rest += piece;
      this.fresh += piece.length;
      if (this.fresh >= Math.max(PIECE_CHARS, (this.rest.length - this.fresh) / 2)) yield* this.parse(false);
    }
    if (last) yield* this.parse(true);
  }

  private *parse(last: boolean): Iterable<string> {
    const text = this.rest;
    this.fresh = 0;
    if (text === "") return;
    this.newline ??= newlineOf(text);
    const config = { delimiter: this.delimiter, newline: this.newline };
    const { data, errors, meta } = new Papa.Parser(config).parse(text, 0, !last) as Parsed;
    this.rest = last ? "" : text.slice(meta.cursor);
    this.checkLength(text, data.length > 0);
    const quoted = text.includes('"');
    const broken = brokenRows(errors);
    for (let index = 0; index < data.length; index++) {
      const fields = data[index] as string[];
      const line = this.line;
      this.line += quoted ? 1 + breaksIn(fields) : 1;
      trimReturn(fields);
      if (fields.length === 1 && fields[0] === "") continue;
      if (this.openings.length === 0) this.header(fields, broken.get(index));
      else this.row(fields, line, broken.get(index));
      if (this.derived.full) yield this.derived.take();
    }
    yield this.derived.take();
    if (!last) this.checkOpen(broken.get(data.length));
  }

  /**
   * Of the row that goes on. One break may be none, with the text that follows; more than one are. The parser keeps a note
   * of each, so they must not go on for ever.
   */
  private checkOpen(broken: Broken | undefined): void {
    if (!broken || broken.breaks < (this.strict ? 2 : BREAKS)) return;
    const header = this.openings.length === 0;
    throw new PermanentError(`${placeOf(header ? 0 : this.rows + 1, this.line)}: ${broken.problem}`);
  }

  private header(names: string[], broken: Broken | undefined): void {
    if (broken) throw new PermanentError(`${placeOf(0, 1)}: ${broken.problem}`);
    if (names.length > COLUMNS) {
      throw new PermanentError(`the header has ${names.length} columns, at most ${COLUMNS} are taken`);
    }
    const other = DELIMITERS.find((mark) => mark !== this.delimiter && names[0]?.includes(mark));
    if (this.strict && names.length === 1 && other) {
      throw new PermanentError(
        `the header is one column with ${JSON.stringify(other)} in it: process the file again with that as its delimiter`,
      );
    }
    this.columns = uniqueNames(names).map((name) => new Column(name));
    this.openings = this.columns.map(({ name }, index) => `${index === 0 ? "{" : '",'}${JSON.stringify(name)}:"`);
  }

  private row(fields: string[], line: number, broken: Broken | undefined): void {
    this.rows++;
    const wanted = this.columns.length;
    const wrong = broken?.problem ?? (fields.length > wanted ? countText(fields.length, wanted) : null);
    if (wrong) {
      const fatal = this.strict || broken?.endless || (broken && broken.breaks >= BREAKS);
      if (fatal) throw new PermanentError(`${placeOf(this.rows, line)}: ${wrong}`);
      this.bad.add(line, this.rows, `${wrong}; left out`);
      return;
    }
    if (fields.length < wanted) this.bad.add(line, this.rows, countText(fields.length, wanted));
    for (let index = 0; index < fields.length; index++) {
      const value = fields[index] as string;
      (this.columns[index] as Column).seeText(value);
      this.derived.add(this.openings[index] as string);
      this.derived.add(ESCAPED.test(value) ? JSON.stringify(value).slice(1, -1) : value);
    }
    this.derived.add('"}\n');
    this.kept++;
  }

  /** Only the first row of a text can be longer than a piece. Asked of the text as it stands, so pieces do not matter. */
  private checkLength(text: string, complete: boolean): void {
    if (text.length <= ROW_CHARS) return;
    const one = { delimiter: this.delimiter, newline: this.newline ?? "\n", preview: 1, fastMode: false };
    const end = complete ? (new Papa.Parser(one).parse(text, 0, true) as Parsed).meta.cursor : text.length;
    // 0: its end is the end of the text.
    if ((end || text.length) > ROW_CHARS) throw tooLongRow(this.openings.length === 0 ? 0 : this.rows + 1, this.line);
  }
}

const placeOf = (row: number, line: number): string => (row === 0 ? "the header, row 0" : `row ${row}, line ${line}`);

/** With so many in one row it is left, also where breaks are only told. */
const BREAKS = 100;

/** `breaks`: how many quotes are broken. `endless`: the last one has swallowed all that came after it. */
type Broken = { problem: string; breaks: number; endless: boolean };

function brokenRows(errors: Parsed["errors"]): Map<number, Broken> {
  const rows = new Map<number, Broken>();
  for (const { row, code } of errors) {
    const endless = code === "MissingQuotes";
    const known = rows.get(row);
    if (known) {
      known.breaks++;
      known.endless ||= endless;
    } else rows.set(row, { problem: endless ? ENDLESS : BROKEN, breaks: 1, endless });
  }
  return rows;
}

const ENDLESS = "a quoted field that begins here never ends";
const BROKEN = "a quoted field goes on behind its closing quote";

const countText = (has: number, wanted: number): string =>
  `${has} ${has === 1 ? "field" : "fields"}, the header has ${wanted}`;

/** The kind of line end that the first piece has; where there are both, CR LF is LF with something before it. */
const newlineOf = (text: string): "\n" | "\r" => (text.includes("\n") || !text.includes("\r") ? "\n" : "\r");

function trimReturn(fields: string[]): void {
  const index = fields.length - 1;
  const last = fields[index] as string;
  if (last.charCodeAt(last.length - 1) === 13) fields[index] = last.slice(0, -1);
}

function breaksIn(fields: string[]): number {
  let breaks = 0;
  for (const field of fields) {
    for (let at = field.indexOf("\n"); at >= 0; at = field.indexOf("\n", at + 1)) breaks++;
  }
  return breaks;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes in another way
const ESCAPED = /["\\\u0000-\u001f]/;

/** Each name once: what has none, or one that is taken, gets its number. */
function uniqueNames(names: string[]): string[] {
  const taken = new Set(names);
  const given = new Set<string>();
  return names.map((name, index) => {
    let free = name || `column_${index + 1}`;
    for (let n = 2; given.has(free) || (free !== name && taken.has(free)); n++) free = `${name || "column"}_${n}`;
    given.add(free);
    return free;
  });
}
