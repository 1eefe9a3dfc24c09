import type { Engine } from "~/lifecycle/engine";
import type { Used } from "~/store/store";

export type Verb = "submit" | "claim" | "settle";
export type Verbs = Record<Verb, Used>;

export const none = (): Used => ({ calls: 0, statements: 0, rowsRead: 0, rowsWritten: 0 });
export const noVerbs = (): Verbs => ({ submit: none(), claim: none(), settle: none() });

/** The seams that stand around each verb's one write. */
const BEGINS: Record<string, Verb> = {
  "submit: before insert": "submit",
  "claim: before write": "claim",
  "settle: before write": "settle",
};
const ENDS = new Set(["submit: between insert and send", "claim: after write", "settle: after write"]);

/** The same engine; what its verbs use is added to `verbs`. */
export function metered(engine: Engine, verbs: Verbs): Engine {
  let verb: Verb = "submit";
  let before = none();
  return {
    ...engine,
    async seam(site) {
      const begins = BEGINS[site];
      if (begins) [verb, before] = [begins, { ...engine.store.used }];
      if (ENDS.has(site)) add(verbs[verb], minus(engine.store.used, before));
      await engine.seam(site);
    },
  };
}

export function minus(a: Used, b: Used): Used {
  return {
    calls: a.calls - b.calls,
    statements: a.statements - b.statements,
    rowsRead: a.rowsRead - b.rowsRead,
    rowsWritten: a.rowsWritten - b.rowsWritten,
  };
}

/** Adds to `sum` itself. */
export function add(sum: Used, more: Used): Used {
  sum.calls += more.calls;
  sum.statements += more.statements;
  sum.rowsRead += more.rowsRead;
  sum.rowsWritten += more.rowsWritten;
  return sum;
}
