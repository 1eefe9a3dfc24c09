import { appContext } from "~/cloudflare";
import { attachment, derivedKey, derivedName } from "~/domain/files/files";
import { readFile } from "~/store/files";
import type { Route } from "./+types/file_derived";
import { reading } from "./support/read.server";

/** Streams a derived file out of the bucket. Whoever wrote its rows is a stranger: it is saved as text, never shown. */
export async function loader({ params: { id, job }, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const bucket = app.engine.services.files;
  const file = bucket && (await reading(app, "derived file", () => readFile(app.engine.store, id)));
  const object = file?.state === "stored" ? await bucket?.get(derivedKey(id, job)) : null;
  if (!file || !object) {
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    return new Response("no derived file is stored here\n", { status: 404, headers });
  }
  return new Response(object.body, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": String(object.size),
      "Content-Disposition": attachment(derivedName(file.name)),
      "X-Content-Type-Options": "nosniff",
    },
  });
}
