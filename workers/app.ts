import { createRequestHandler, RouterContextProvider } from "react-router";
import { type App, appContext } from "~/cloudflare";
import { handleApi } from "./api";
import { door } from "./door/door";
import { isApi } from "./door/paths";
import { engineFor } from "./engine";
import { onBatch } from "./queue";
import { onTick } from "./scheduled";
import { withUsed } from "./used";

const pages = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);

export { Jobs } from "./entrypoint";

// A plain object: the development server looks for the handlers among its own keys.
export default {
  fetch: (request, env, ctx) => {
    const engine = engineFor(env);
    return door(request, env, ctx.access, engine, async (visitor) => {
      const app: App = { ...visitor, engine, environment: env.ENVIRONMENT };
      if (isApi(new URL(request.url).pathname)) return withUsed(await handleApi(request, app), app);
      const context = new RouterContextProvider();
      context.set(appContext, app);
      return withUsed(await pages(request, context), app);
    });
  },
  queue: (batch, env) => onBatch(engineFor(env), batch),
  scheduled: (_tick, env) => onTick(engineFor(env)),
} satisfies ExportedHandler<Env>;
