import type { Moment, Range } from "~/domain/query/times";
import { type Choice, isChosen, type Wanted } from "~/domain/query/wanted";
import type { Binds } from "../binds";

/** What each row must be, but for what is `served` already. */
export function conditions(wanted: Wanted, binds: Binds, served: (keyof Wanted)[]): string[] {
  const { views, created, finished, text } = wanted;
  const of: Partial<Record<keyof Wanted, () => string | null>> = {
    views: () => views && `jobs.view IN (${views.map((view) => `'${view}'`).join(", ")})`,
    kind: () => chosen("jobs.kind", wanted.kind, binds),
    cause: () => chosen("jobs.cause", wanted.cause, binds),
    key: () => chosen("jobs.idempotency_key", wanted.key, binds),
    group: () => chosen("jobs.group_key", wanted.group, binds),
    schedule: () => chosen("jobs.schedule_id", wanted.schedule, binds, scheduleId),
    operation: () => chosen("jobs.operation_id", wanted.operation, binds),
    lane: () => chosen("jobs.lane", wanted.lane, binds),
    created: () => created.map((range) => during("jobs.created_at", range, binds)).join(" AND ") || null,
    finished: () =>
      finished.map((range) => `coalesce(${during("jobs.finished_at", range, binds)}, 0)`).join(" AND ") || null,
    text: () => (text === "" ? null : holds(binds.add(text))),
  };
  // Made only where it is used: a parameter that no statement names is refused.
  return Object.entries(of).flatMap(([name, make]) => (served.includes(name as keyof Wanted) ? [] : (make() ?? [])));
}

/** Not LIKE: its patterns end at 50 bytes, and what was typed is no pattern. */
const holds = (text: string) => `coalesce(instr(jobs.label, ${text}) > 0 OR instr(jobs.cause, ${text}) > 0, 0)`;

function chosen(column: string, choice: Choice, binds: Binds, idOf = (name: string) => name): string | null {
  if (!isChosen(choice)) return null;
  const parts = [
    choice.in && oneOf(column, choice.in, binds, idOf),
    choice.out.length > 0 && `NOT coalesce(${oneOf(column, choice.out, binds, idOf)}, 0)`,
  ];
  return `coalesce(${parts.filter(Boolean).join(" AND ")}, 0)`;
}

/** A list is looked up for each row, and that counts as a row read: one value needs none. */
export function oneOf(column: string, values: string[], binds: Binds, idOf = (name: string) => name): string {
  const [first, ...more] = values;
  if (first !== undefined && more.length === 0) return `${column} = ${idOf(binds.add(first))}`;
  return `${column} IN (SELECT ${idOf("value")} FROM json_each(${binds.add(JSON.stringify(values))}))`;
}

/** A schedule that is gone is still named by its jobs. */
export const scheduleId = (name: string) =>
  `coalesce((SELECT s.id FROM schedules AS s WHERE s.name = ${name}), ${name})`;

/** From the first moment up to, and without, the second. */
export function during(column: string, { from, to }: Range, binds: Binds): string {
  const parts = [from && `${column} >= ${msOf(from, binds)}`, to && `${column} < ${msOf(to, binds)}`];
  return parts.filter(Boolean).join(" AND ");
}

const msOf = (moment: Moment, binds: Binds) =>
  "at" in moment ? binds.add(moment.at) : `({now} - ${binds.add(moment.ago)})`;

/** An id is made where the job is submitted, before its row is: at most so long before, and by a clock that may differ. */
const MADE_BEFORE_MS = 900_000;
const CLOCKS_MS = 60_000;

export function idsNear({ from, to }: Range, binds: Binds): string {
  const parts = [
    from && `id >= ${idAt(msOf(from, binds), -MADE_BEFORE_MS)}`,
    to && `id < ${idAt(msOf(to, binds), CLOCKS_MS)}`,
  ];
  return parts.filter(Boolean).join(" AND ");
}

/** A UUIDv7 begins with 48 bits of ms since 1970. */
const idAt = (ms: string, plus: number) =>
  `printf('%08x-%04x', max(0, ${ms} + ${plus}) >> 16, max(0, ${ms} + ${plus}) & 65535)`;
