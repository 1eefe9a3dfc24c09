import { PermanentError } from "~/domain/errors";
import { ROW_CHARS } from "~/domain/files/files";
import type { BadLines } from "./bad_lines";
import type { Column } from "./columns";

/** A format with rows: takes text piece by piece, gives the text of the derived file, keeps what it learns. */
export type Table = {
  read(text: string, last: boolean): Iterable<string>;
  readonly columns: Iterable<Column>;
  readonly rows: number;
  /** Rows that have a line in the derived file. */
  readonly kept: number;
  readonly bad: BadLines;
};

export const tooLongRow = (row: number, line: number): PermanentError =>
  new PermanentError(
    `row ${row}, which begins on line ${line}, is over ${ROW_CHARS} characters, which is the limit (a quote that never closes?)`,
  );
