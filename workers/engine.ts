import { registry } from "~/kinds/registry";
import { type Engine, engineOf } from "~/lifecycle/engine";

/** One an invocation, with the settings of this deployment. */
export function engineFor(env: Env): Engine {
  return engineOf(env, registry, {
    leaseMs: 30_000,
    appVersion: __BUILD__,
    // Production stops an invocation at 1,000 queries, 50 on the free plan; what is under way when this is reached must
    // still be settled.
    statements: env.PLAN === "free" ? 35 : 700,
    outbound: {
      allow: env.REDRIVE_LOCAL === "1" ? list(env.OUTBOUND_ALLOW) : [],
      ownHosts: list(env.OWN_HOSTS?.toLowerCase()),
    },
  });
}

const list = (text = "") => text.split(",").flatMap((part) => part.trim() || []);
