import { BAD_LINES_LISTED } from "~/domain/files/files";

/** `line` counts line breaks, as an editor does; `row` counts records, the first below a header being 1. */
export type BadLine = { line: number; row: number; problem: string };

/** All are counted, the first ones kept. */
export class BadLines {
  count = 0;
  readonly listed: BadLine[] = [];

  add(line: number, row: number, problem: string): void {
    this.count++;
    if (this.listed.length < BAD_LINES_LISTED) this.listed.push({ line, row, problem });
  }
}
