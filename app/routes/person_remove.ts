import { redirect } from "react-router";
import { appContext, askerOf } from "~/cloudflare";
import { PEOPLE_ADDRESS, PERSON } from "~/domain/people/people";
import { setPerson } from "~/lifecycle/people/people";
import type { Route } from "./+types/person_remove";
import { reading } from "./support/read.server";

export const loader = () => redirect(PEOPLE_ADDRESS);

export async function action({ params, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const name = PERSON.safeParse(params.id);
  if (!name.success) return redirect(PEOPLE_ADDRESS, 303);
  const by = { actor: app.identity.name };
  const done = await reading(app, "people", () => setPerson(app.engine, name.data, null, askerOf(app), by));
  return redirect(done === "changed" ? PEOPLE_ADDRESS : `${PEOPLE_ADDRESS}?why=${done}`, 303);
}
