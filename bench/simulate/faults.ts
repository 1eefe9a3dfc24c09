/** What may happen to one call of D1. */
export const D1_FAULTS = [
  "crash before",
  "crash after",
  "lost before",
  "lost after",
  "twice",
  "asleep before",
  "asleep after",
  "down",
] as const;
/** What may happen to one send of messages: to the call, or to a message of it. */
export const SEND_FAULTS = [
  "crash before",
  "crash after",
  "refused before",
  "refused after",
  "asleep before",
  "duplicated",
  "dropped",
  "delayed",
  "reordered",
] as const;
/** Those that belong to no call. */
export const OTHER_FAULTS = [
  "acks lost",
  "died in the queue",
  "redelivered early",
  "unreadable message",
  "two sweeps at once",
  "crash between calls",
  "asleep between calls",
  "killed by its job",
  "backlog unknown",
  "lane full",
  "answer of the outside lost",
  "refused by the outside",
  "asked to stop while it ran",
] as const;

export type D1Fault = (typeof D1_FAULTS)[number];
export type SendFault = (typeof SEND_FAULTS)[number];
export type OtherFault = (typeof OTHER_FAULTS)[number];
export type Fault = D1Fault | SendFault;

/** site → fault → how often. */
export type Cells = Record<string, Record<string, number>>;

export function count(cells: Cells, site: string, fault: string, n = 1): void {
  cells[site] ??= {};
  const row = cells[site];
  row[fault] = (row[fault] ?? 0) + n;
}

export function merge(into: Cells, more: Cells): void {
  for (const [site, row] of Object.entries(more))
    for (const [fault, n] of Object.entries(row)) count(into, site, fault, n);
}
