import { createTestHarness } from "wrangler";

// Nothing but the report goes to the terminal, and nothing is asked over the network.
process.env.WRANGLER_LOG ??= "error";
process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
process.env.WRANGLER_SEND_METRICS ??= "false";
// Nobody looks at traces of it, and they cost a third of the time.
process.env.X_LOCAL_OBSERVABILITY ??= "false";
process.env.X_LOCAL_EXPLORER ??= "false";

export type Server = { ask: <T>(path: string, body?: string) => Promise<T>; close: () => Promise<void> };

/** A Worker of this folder on the local runtime, with an empty database of its own that goes away with it. */
export async function start(config = "./wrangler.toml"): Promise<Server> {
  const harness = createTestHarness({ workers: [{ configPath: new URL(config, import.meta.url) }] });
  await harness.listen();
  await harness.getWorker<{ DB: never }>().applyD1Migrations("DB");
  return {
    close: () => harness.close(),
    async ask<T>(path: string, body?: string) {
      const response = await harness.fetch(path, { method: "POST", body });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
      return (await response.json()) as T;
    },
  };
}
