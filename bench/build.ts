import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Makes the production build of what is here. */
export function build(): void {
  const bin = join(import.meta.dirname, "../node_modules/.bin/react-router");
  const { status, stderr } = spawnSync(bin, ["build"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
}
