import { z } from "@hono/zod-openapi";
import { SIGNUP } from "~/domain/signup";
import { signUp } from "~/lifecycle/sign_up";
import { json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import type { Route } from "./route";

const signedUp = z
  .object({
    id: z.string().openapi({ description: "of the job that sends the welcome mail" }),
    replayed: z.literal(true).optional().openapi({ description: "this address has signed up before" }),
  })
  .openapi("SignedUp");

/** The example of a producer: records what was asked for, leaves the slow part to a job, and answers at once. */
export const postSignup: Route = {
  method: "post",
  path: "/examples/signup",
  summary: "Example: sign up, and get one welcome mail",
  description: "The same address, in any spelling of large and small letters, is one sign-up and one mail.",
  body: { required: true, description: "Who signs up.", schema: SIGNUP },
  answers: {
    202: {
      description: "Recorded; the mail is on its way. Location is the job's.",
      headers: z.object({ Location: z.string() }),
      content: { "application/json": { schema: signedUp } },
    },
  },
  problems: ACTION_PROBLEMS,
  async handle({ request, app }) {
    const asked = await readAction(request, SIGNUP);
    if (isProblem(asked)) return problemResponse(asked);
    const { jobId, replayed } = await signUp(app.engine, asked);
    const headers = { Location: `/api/v1/jobs/${jobId}` };
    return json({ id: jobId, ...(replayed && { replayed }) }, 202, headers);
  },
};
