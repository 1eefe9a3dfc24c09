import { appContext, readerOf } from "~/cloudflare";
import { readJob } from "~/store/reads/job";
import type { Route } from "./+types/payload";
import { reading } from "./support/read.server";

/** The payload as it was submitted, byte for byte, but for its secrets. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const job = await reading(app, "payload", () => readJob(app.engine.store, params.id, readerOf(app)));
  if (!job) return new Response("no job with this id is stored\n", { status: 404 });
  return new Response(job.payloadText, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="payload-${job.id}.json"`,
    },
  });
}
