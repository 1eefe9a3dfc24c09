import { registry } from "~/kinds/registry";
import { type Engine, engineOf } from "~/lifecycle/engine";

const SLOW_MS = 1_000;

/** One an invocation, with the settings of this deployment. */
export function engineFor(env: Env): Engine {
  const free = env.PLAN === "free";
  return engineOf(env, registry, {
    // A third of it is the heartbeat, a statement each: a job of 13 minutes must not use up the free plan's with them.
    leaseMs: free ? 90_000 : 30_000,
    appVersion: __BUILD__,
    // Production stops an invocation at 1,000 queries, 50 on the free plan; what is under way when this is reached must
    // still be settled.
    statements: free ? 35 : 700,
    mostStatements: free ? 50 : 1_000,
    slowMs: Number(env.SLOW_MS ?? SLOW_MS),
    outbound: {
      allow: env.REDRIVE_LOCAL === "1" ? list(env.OUTBOUND_ALLOW) : [],
      ownHosts: list(env.OWN_HOSTS?.toLowerCase()),
    },
  });
}

const list = (text = "") => text.split(",").flatMap((part) => part.trim() || []);
