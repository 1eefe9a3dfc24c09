import { z } from "@hono/zod-openapi";
import { REPLAY, REPLAYING } from "~/domain/dead/letter_calls";
import { type LetterPage, type LetterRow, REPLAYS_MAX, readLetterCursor } from "~/domain/dead/letters";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { problem } from "~/domain/problem";
import { PAGE_LIMIT } from "~/domain/query/filter";
import { STATE_NAMES } from "~/domain/states";
import { instantOrNull } from "~/domain/time";
import { replayFor, replayLetter } from "~/lifecycle/replay";
import { listLetters } from "~/store/reads/letters";
import { fresh, json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import type { Route } from "./route";

const query = z.strictObject({
  before: z
    .string()
    .refine((text) => readLetterCursor(text) !== null, "is not what `next` of a page said")
    .optional(),
  limit: PAGE_LIMIT,
});

const time = z.iso.datetime({ precision: 3 });
const row = z
  .object({
    messageId: z.string(),
    queue: z.string().openapi({ description: "where it came from" }),
    at: time,
    fate: z.enum(["buried", "replayed", "ignored", "unreadable"]).openapi({ description: "what became of it" }),
    why: z.string(),
    body: z.string().openapi({ description: "its first 2,000 bytes" }),
    job: z
      .object({ id: z.string(), attempt: z.int(), kind: z.string().nullable(), state: z.enum(STATE_NAMES).nullable() })
      .nullable(),
    replays: z
      .int()
      .openapi({ description: `how often this attempt's message was sent again: at most ${REPLAYS_MAX}` }),
    spent: z.string().nullable().openapi({ description: "why it cannot be sent again; null: it can" }),
  })
  .openapi("DeadLetter") satisfies z.ZodType<LetterRow>;
const page = z
  .object({
    revision: z.int(),
    now: time,
    letters: z.array(row),
    replayUntil: time.nullable().openapi({ description: "until then letters are sent again instead of ending jobs" }),
    next: z.string().nullable().openapi({ description: "pass as `before` for older ones" }),
  })
  .openapi("DeadLetterPage") satisfies z.ZodType<LetterPage>;

export const getLetters: Route = {
  method: "get",
  path: "/dead-letters",
  summary: "Dead letters, and messages that no release understood, newest first",
  query,
  parameters: z.object({
    before: z.string().optional().openapi({ description: "`next` of the page before" }),
    limit: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE).openapi({ description: "letters of a page" }),
  }),
  cached: true,
  answers: { 200: { description: "A page of letters", content: { "application/json": { schema: page } } } },
  problems: {},
  handle: ({ request, url, app }) => {
    const { before, limit } = query.parse(Object.fromEntries(url.searchParams));
    const cursor = before === undefined ? null : readLetterCursor(before);
    return fresh(request, app, () => listLetters(app.engine.store, cursor, app.identity.payloads, limit));
  },
};

const replayed = z.object({ jobId: z.string() }).openapi("Replayed");

export const postReplay: Route = {
  method: "post",
  path: "/dead-letters/replay",
  summary: "Send a dead letter's message again",
  description: "A job that it has ended runs again as its next generation.",
  body: { required: true, description: "The letter.", schema: REPLAY },
  answers: { 200: { description: "It is sent", content: { "application/json": { schema: replayed } } } },
  problems: { ...ACTION_PROBLEMS, 404: "no such letter is kept", 409: "it cannot be sent again: `detail` says why" },
  async handle({ request, app }) {
    const asked = await readAction(request, REPLAY);
    if (isProblem(asked)) return problemResponse(asked);
    const { reason, ...key } = asked;
    const done = await replayLetter(app.engine, key, { actor: app.identity.name, reason });
    if (done.kind === "replayed") return json({ jobId: done.jobId });
    return done.kind === "not-found"
      ? problemResponse(problem(404, "no-such-letter", "no such letter is kept"))
      : problemResponse(problem(409, "not-replayed", done.why));
  },
};

const replaying = z.object({ replayUntil: time.nullable() }).openapi("Replaying");

export const postReplaying: Route = {
  method: "post",
  path: "/dead-letters/replaying",
  summary: "For a time, send dead letters again instead of ending their jobs",
  description: `At most ${REPLAYS_MAX} times a message. \`minutes\` 0 ends it.`,
  body: { required: true, description: "For how long.", schema: REPLAYING },
  answers: { 200: { description: "Until when", content: { "application/json": { schema: replaying } } } },
  problems: ACTION_PROBLEMS,
  async handle({ request, app }) {
    const asked = await readAction(request, REPLAYING);
    if (isProblem(asked)) return problemResponse(asked);
    const by = { actor: app.identity.name, reason: asked.reason };
    return json({ replayUntil: instantOrNull(await replayFor(app.engine, asked.minutes, by)) });
  },
};
