import { rmSync } from "node:fs";
import { unpackChromium } from "./chromium.ts";
import { Server } from "./server.ts";

/** One server in local mode for all specs that need nothing else of it. */
export default async function setup(): Promise<() => Promise<void>> {
  await unpackChromium();
  const server = await Server.start();
  process.env.REDRIVE_URL = server.url;
  // The others' databases begin as this one, which began with nothing: migrating takes longer than most tests.
  const migrated = await server.copy();
  process.env.REDRIVE_MIGRATED = migrated;
  return async () => {
    if (process.env.REDRIVE_LOG) console.log(server.log);
    await server.stop();
    rmSync(migrated, { recursive: true });
  };
}
