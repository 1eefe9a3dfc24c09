import type { Measured, PagesReport } from "./run.ts";

export function pagesTable({ jobs, pages, feeds, firstLoadGzipKB, layoutShift, idlePoll, load }: PagesReport): string {
  return [
    `${jobs} jobs beside 1000, load ${load}`,
    head("JSON feeds"),
    ...Object.entries(feeds).map(([name, one]) => line(name, one)),
    "",
    head("Pages, HTML"),
    ...Object.entries(pages).map(([name, one]) => line(name, one)),
    "",
    `first load of the jobs page: ${firstLoadGzipKB} KB of scripts and styles, gzip; layout shift ${layoutShift}`,
    `unchanged poll: ${idlePoll.status}, ${idlePoll.rowsRead} row read, ${idlePoll.bytes} bytes with headers`,
  ].join("\n");
}

const row = (name: string, cells: (string | number)[]) =>
  `${name.padEnd(18)}${cells.map((cell) => String(cell).padStart(12)).join("")}`;
const head = (name: string) =>
  row(name, [
    "p95 ms",
    "at 1000",
    "p50 ms",
    "at 1000",
    "times",
    "D1 calls",
    "statements",
    "rows",
    "at 1000",
    "bytes",
    "gzip",
  ]);
const line = (name: string, one: Measured) =>
  row(`  ${name}`, [
    one.p95Ms,
    one.p95MsAt1000,
    one.p50Ms,
    one.p50MsAt1000,
    (one.p50Ms / one.p50MsAt1000).toFixed(2),
    one.d1Calls,
    one.statements,
    one.rowsRead,
    one.rowsReadAt1000,
    one.bytes,
    one.gzipBytes,
  ]);
