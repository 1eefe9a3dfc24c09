import type { Wanted } from "~/domain/query/wanted";
import { isFinal, VIEW_NAMES, VIEWS, type View } from "~/domain/states";
import type { Binds } from "../binds";
import { conditions, during, idsNear, oneOf, scheduleId } from "./conditions";

/**
 * A part of jobs that one index holds in the order of the list. Named outright: with ANALYZE or without, the plan is the same.
 * `each`: so many parts, one for each value of the JSON array `of`, which `where` calls `part.value`. They are one text, for a
 * statement has at most 100,000 bytes.
 */
export type Arm = { index: string | null; where: string; each?: { of: string; n: number } };
export const rowsOf = ({ index, where }: Arm): string =>
  `FROM jobs ${index ? `INDEXED BY ${index}` : ""} WHERE ${where}`;

/** Arms are merged. `rest` is what no index serves: the rows of the arms are looked at one by one. */
export type Source = { arms: Arm[]; rest: string | null };

/** What arms have answered by themselves, by the names of `Wanted`. */
type Served = { arms: Arm[]; served: (keyof Wanted)[] };

export function sourceOf(wanted: Wanted, binds: Binds): Source {
  if (wanted.views?.length === 0) return { arms: [NOTHING], rest: null };
  const { arms, served } = wanted.sort === "finished" ? byEnd(wanted, binds) : byId(wanted, binds);
  const rest = conditions(wanted, binds, served);
  return { arms: arms.length > 0 ? arms : [NOTHING], rest: rest.length > 0 ? rest.join(" AND ") : null };
}

const NOTHING: Arm = { index: null, where: "false" };

/** Whichever narrows most: a key is one job, an operation or a cause some, a view more, a kind may be nearly all. */
function byId(wanted: Wanted, binds: Binds): Served {
  const { views, kind, cause, key, group, schedule, operation } = wanted;
  const narrow = narrowest();
  // Ids begin with the time. The exact bounds are looked at in the rows: this only keeps away from most others.
  const near = wanted.created.map((range) => idsNear(range, binds)).filter(Boolean);
  return { ...narrow, arms: narrow.arms.map((arm) => ({ ...arm, where: [arm.where, ...near].join(" AND ") })) };

  function narrowest(): Served {
    if (key.in) return served(["key"], [arm("jobs_idempotency", oneOf("idempotency_key", key.in, binds))]);
    if (operation.in) {
      const ids = operation.in;
      const parts = (views ?? VIEW_NAMES).flatMap((view) => ids.map((id) => [id, view]));
      const each = { of: binds.add(JSON.stringify(parts)), n: parts.length };
      const where = "operation_id = part.value ->> 0 AND view = part.value ->> 1";
      return served(["operation", "views"], [{ ...arm("jobs_operation", where), each }]);
    }
    if (cause.in) return served(["cause", "views"], each("jobs_dead_by_cause", "state = 'dead' AND cause", cause.in));
    if (schedule.in) {
      const ids = schedule.in.map((name) => `schedule_id = ${scheduleId(binds.add(name))}`);
      return served(
        ["schedule"],
        ids.map((where) => arm("jobs_schedule", where)),
      );
    }
    if (group.in) return served(["group"], each("jobs_group", "group_key", group.in));
    if (kind.in && views?.join() === "dead") {
      return served(["kind", "views"], each("jobs_dead_by_kind", "state = 'dead' AND kind", kind.in));
    }
    if (views?.every((view) => NARROW[view] !== null)) {
      return served(
        ["views"],
        views.flatMap((view) => NARROW[view] ?? []),
      );
    }
    if (kind.in) return served(["kind"], each("jobs_kind", "kind", kind.in));
    return served([], [arm(null, "true")]);
  }

  function each(index: string, column: string, values: string[]): Arm[] {
    return values.map((value) => arm(index, `${column} = ${binds.add(value)}`));
  }
}

/** In the order of ends. Nothing that has no end is shown. */
export function byEnd({ views, cause, finished }: Wanted, binds: Binds): Served {
  const within = finished.map((range) => during("finished_at", range, binds));
  const arms = (index: string, where: string[]) => [arm(index, [...where, ...within].join(" AND "))];
  if (cause.in) {
    const causes = cause.in.flatMap((value) =>
      arms("jobs_dead_by_cause_end", ["state = 'dead'", `cause = ${binds.add(value)}`]),
    );
    return served(["cause", "views", "finished"], causes);
  }
  if (views?.join() === "dead") return served(["views", "finished"], arms("jobs_dead_by_end", ["state = 'dead'"]));
  const all = FINAL.every((view) => views?.includes(view));
  return served(all ? ["views", "finished"] : ["finished"], arms("jobs_finished", ["finished_at IS NOT NULL"]));
}

export const arm = (index: string | null, where: string): Arm => ({ index, where });
export const ofOperation = (id: string, view: View, binds: Binds): Arm =>
  arm("jobs_operation", `operation_id = ${binds.add(id)} AND view = '${view}'`);
const served = (names: (keyof Wanted)[], arms: Arm[]): Served => ({ served: names, arms });

/** The views that have an index of their own. `done` has none: nearly every job ends there. */
const waiting = (view: View) => arm("jobs_waiting", `state = 'pending' AND view = '${view}'`);
export const NARROW: Record<View, Arm | null> = {
  scheduled: waiting("scheduled"),
  pending: waiting("pending"),
  retrying: waiting("retrying"),
  // In the order of leases: all that run are looked at and sorted, and no more run than consumers have room for.
  processing: arm("jobs_leased", "state = 'processing'"),
  done: null,
  dead: arm("jobs_dead", "state = 'dead'"),
  cancelled: arm("jobs_cancelled", "state = 'cancelled'"),
};
const FINAL = VIEW_NAMES.filter((view) => isFinal(VIEWS[view].state));
