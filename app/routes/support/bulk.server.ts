import { data } from "react-router";
import type { App } from "~/cloudflare";
import { type Answer, partsOf, type Question } from "~/components/bulk/question";
import { BULK_ACTIONS, type BulkAction, type BulkFilter, fits, frozenAt } from "~/domain/bulk/bulk";
import type { BulkCall } from "~/domain/bulk/call";
import { count, shortId } from "~/domain/format";
import { bulkIds, startBulk } from "~/lifecycle/bulk";
import { COUNT_ROWS, measure } from "~/store/bulk/matching";
import { isUnreachable } from "~/store/errors";
import { readChosen } from "~/store/reads/chosen";

const UNREACHABLE = "The database did not answer. It may have been done: look, or press again, which is safe.";

const UNCOUNTABLE = `More than ${count(COUNT_ROWS)} jobs would have to be looked at to count these. Name a kind, a cause, or a shorter time of submission or end.`;

/** Does what a bulk form asks, and says what came of it. */
export async function actBulk(app: App, { action, ids, filter, id, pace, confirm, reason }: BulkCall): Promise<Answer> {
  const by = { actor: app.identity.name, reason };
  try {
    if (ids) {
      const { changed, skipped } = await bulkIds(app.engine, action, ids, filter ?? {}, by);
      return { kind: "done", changed, skipped };
    }
    const ask = { id: id as string, action, filter: filter as BulkFilter, pace, confirm, some: true };
    const done = await startBulk(app.engine, ask, by);
    if (done.kind === "recounted") return done;
    if (done.kind === "uncountable") return { kind: "refused", message: UNCOUNTABLE };
    return { kind: "started", operation: done.operation.id, expected: done.operation.expected };
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "bulk form", error: String(error) });
    return { kind: "refused", message: UNREACHABLE };
  }
}

export const reasonOf = (app: App, action: BulkAction): string => {
  const { done } = BULK_ACTIONS[action];
  return `${done[0]?.toUpperCase()}${done.slice(1)} by ${app.identity.name}`;
};

/** What is asked before everything that matches is touched. Its kinds are told by the numbers of the frame. Throws a 413 where they cannot be counted. */
export async function questionOfAll(app: App, action: BulkAction, asked: BulkFilter): Promise<Question> {
  const { expected: n, cutoff } = await measure(app.engine.store, asked);
  if (n === null) throw data({ reason: "too-many-to-count" }, { status: 413 });
  return { action, n, filter: frozenAt(asked, cutoff), left: 0, parts: [], names: [], reason: reasonOf(app, action) };
}

/** What is asked before named jobs are touched, and those of them that can be. */
export async function questionOfNamed(
  app: App,
  action: BulkAction,
  ids: string[],
): Promise<{ question: Question; ids: string[] }> {
  const chosen = await readChosen(app.engine.store, ids);
  const fitting = chosen.filter(({ view }) => fits(action, view));
  const question: Question = {
    action,
    n: fitting.length,
    filter: null,
    left: ids.length - fitting.length,
    parts: partsOf(fitting.map(({ kind }) => kind)),
    names: fitting.slice(0, 10).map(({ id, label }) => label ?? shortId(id)),
    reason: reasonOf(app, action),
  };
  return { question, ids: fitting.map(({ id }) => id) };
}
