import { z } from "@hono/zod-openapi";
import { DAILY_LIMIT, SUBMITTER } from "~/domain/actions";
import { problemOf } from "~/domain/problem";
import { instant } from "~/domain/time";
import { setDailyLimit } from "~/lifecycle/limits/set_limit";
import { listSubmitters } from "~/store/submitters";
import { json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import type { Route } from "./route";

const submitter = z
  .object({ name: z.string(), dailyLimit: z.int().nullable(), today: z.int() })
  .openapi("Submitter", { description: "Who submits, how much of today's numbers is taken, and the limit" });

export const getSubmitters: Route = {
  method: "get",
  path: "/submitters",
  summary: "Who has submitted today, or has a limit",
  answers: {
    200: {
      description: "By name. The day is UTC's and ends at `endsAt`.",
      content: {
        "application/json": { schema: z.object({ submitters: z.array(submitter), endsAt: z.iso.datetime() }) },
      },
    },
  },
  problems: {},
  async handle({ app }) {
    const { submitters, endsAt } = await listSubmitters(app.engine.store);
    return json({ submitters, endsAt: instant(endsAt) });
  },
};

export const limitSubmitter: Route = {
  method: "post",
  path: "/submitters/{id}",
  summary: "Set how many jobs a submitter may submit a day",
  description: "`null` lifts the limit. A call that does not fit into the rest of a day is refused whole.",
  body: { required: true, description: "The limit.", schema: DAILY_LIMIT },
  answers: {
    200: { description: "Counts from the next call on", content: { "application/json": { schema: DAILY_LIMIT } } },
  },
  problems: ACTION_PROBLEMS,
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, DAILY_LIMIT);
    if (isProblem(asked)) return problemResponse(asked);
    const name = SUBMITTER.safeParse(id);
    if (!name.success) {
      return problemResponse(
        problemOf({
          status: 400,
          code: "invalid",
          problems: [{ path: "", message: "the address names no submitter: 1 to 256 characters in one line" }],
        }),
      );
    }
    await setDailyLimit(app.engine, name.data, asked.dailyLimit, { actor: app.identity.name });
    return json(asked);
  },
};
