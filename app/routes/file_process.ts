import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { fileAddress, readingOf } from "~/domain/files/files";
import { process } from "~/lifecycle/files/complete";
import { readFile } from "~/store/files";
import type { Route } from "./+types/file_process";
import { formOf } from "./support/answer.server";
import { toJob } from "./support/files.server";
import { isFormId } from "./support/form_state.server";
import { reading } from "./support/read.server";

export const loader = ({ params }: Route.LoaderArgs) => redirect(fileAddress(params.id));

export async function action({ request, params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const again = form.get("again");
  const how = readingOf(Object.fromEntries(form));
  if (!isFormId(again) || !how) throw data({ reason: "no-form" }, { status: 400 });
  const done = await reading(app, "process file", async () => {
    const file = await readFile(app.engine.store, id);
    if (file?.state !== "stored") throw data({ reason: "no-such-file" }, { status: 404 });
    return process(app.engine, file, how, app.identity.name, again);
  });
  return toJob(done);
}
