import type { JobFilter } from "~/domain/filter";
import { VIEW_NAMES, VIEWS, type View } from "~/domain/states";
import { type Statement, sql } from "../store";

/** A part of jobs that one index holds in the order of ids. Named outright: with ANALYZE or without, the plan is the same. */
type Arm = { index: string | null; where: Statement };
/** Arms are merged by id. `rest` is what no index serves: the rows of the arm are looked at one by one. */
export type Source = { arms: [Arm, ...Arm[]]; rest: Statement | null };

const ANY = sql("true");

export function sourceOf({ view, state, kind, cause }: JobFilter): Source {
  const ofKind = kind === undefined ? null : sql("kind = ?", kind);
  if (cause !== undefined) {
    return { arms: [{ index: "jobs_dead_by_cause", where: sql("state = 'dead' AND cause = ?", cause) }], rest: ofKind };
  }
  const one = view ?? (state === "pending" ? undefined : state);
  const narrow = one && ARMS[one];
  if (narrow) return { arms: [narrow], rest: ofKind };
  const ofState = (one ?? state) ? sql(`state = '${one ?? state}'`) : null;
  if (ofKind) return { arms: [{ index: "jobs_kind", where: ofKind }], rest: ofState };
  if (state === "pending") return { arms: WAITING, rest: null };
  return { arms: [{ index: null, where: ANY }], rest: ofState };
}

/** The views that have an index of their own. `done` has none: nearly every job ends there. */
const waiting = (view: View): Arm => ({ index: "jobs_waiting", where: sql(`state = 'pending' AND view = '${view}'`) });
const ARMS: Record<View, Arm | null> = {
  scheduled: waiting("scheduled"),
  pending: waiting("pending"),
  retrying: waiting("retrying"),
  // In the order of leases: all that run are looked at and sorted, and no more run than consumers have room for.
  processing: { index: "jobs_leased", where: sql("state = 'processing'") },
  done: null,
  dead: { index: "jobs_dead", where: sql("state = 'dead'") },
  cancelled: { index: "jobs_cancelled", where: sql("state = 'cancelled'") },
};
const WAITING = VIEW_NAMES.filter((view) => VIEWS[view].state === "pending").map(waiting) as Source["arms"];
