import { redirect } from "react-router";
import { appContext } from "~/cloudflare";
import type { Answer } from "~/components/bulk/question";
import { bulkFormOf } from "~/domain/bulk/form";
import type { Route } from "./+types/bulk_send";
import { formOf } from "./support/answer.server";
import { actBulk } from "./support/bulk.server";

export const loader = () => redirect("/jobs");

/** For the script of the lists, which has asked already and stays on its page. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = bulkFormOf(await formOf(request));
  const refused = (message: string): Answer => ({ kind: "refused", message });
  if (form.kind === "nothing") return Response.json(refused("No jobs are selected."));
  if (form.kind === "refused") {
    const [first] = form.problems;
    return Response.json(refused(`Not done: ${first?.path} ${first?.message}.`));
  }
  return Response.json(await actBulk(context.get(appContext), form.call));
}
