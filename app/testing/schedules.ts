import type { Definition } from "~/domain/schedules/schedule";
import type { World } from "./world";

const DEFINITION: Definition = {
  name: "",
  cron: "* * * * *",
  everyMinutes: null,
  anchorAt: null,
  timeZone: "UTC",
  kind: "probe.ok",
  payload: "{}",
  priority: "normal",
  maxAttempts: null,
  missed: "once",
  missedMax: 100,
  overlap: "allow",
};

/** Puts a schedule straight into the store, as no call could: `dueAt` is its next slot. */
export async function putSchedule(world: World, dueAt: number, rest: Partial<Definition> = {}): Promise<string> {
  const id = world.newId();
  const d = { ...DEFINITION, name: id, ...rest };
  await world.sql(
    `INSERT INTO schedules (id, name, cron, every_minutes, anchor_at, time_zone, kind, priority, max_attempts, missed,
       missed_max, overlap, version, due_at, created_at, updated_at, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, 0, 0, ?)`,
    ...[id, d.name, d.cron, d.everyMinutes, d.anchorAt, d.timeZone, d.kind, d.priority, d.maxAttempts],
    ...[d.missed, d.missedMax, d.overlap, dueAt, d.payload],
  );
  return id;
}

export const minutesOf = (times: (number | null)[]): string[] =>
  times.map((time) => (time === null ? "none" : new Date(time).toISOString().slice(11, 16)));

/** The slots that have a job, in order. */
export const firedSlots = async (world: World, id: string): Promise<number[]> =>
  (await world.sql<{ slot_at: number }>("SELECT slot_at FROM jobs WHERE schedule_id = ? ORDER BY slot_at", id)).map(
    ({ slot_at }) => slot_at,
  );

/** What became of each slot, as `10:15 skipped`. */
export const fatesOf = async (world: World, id: string): Promise<string[]> => {
  type Row = { slot_at: number; through_at: number | null; n: number | null; fate: string };
  const rows = await world.sql<Row>("SELECT * FROM slots WHERE schedule_id = ? ORDER BY slot_at", id);
  return rows.map((row) => {
    const through = row.through_at === null ? "" : `-${minutesOf([row.through_at])} (${row.n ?? "?"})`;
    return `${minutesOf([row.slot_at])}${through} ${row.fate}`;
  });
};

export const scheduleOf = async (world: World, id: string) =>
  (await world.sql<Record<string, any>>("SELECT * FROM schedules WHERE id = ?", id))[0] as Record<string, any>;
