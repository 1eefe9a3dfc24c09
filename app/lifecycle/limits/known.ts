import { encodeLimits, unlimited } from "~/domain/kind_limits";
import type { Known } from "~/store/limits";
import type { Engine } from "../engine";

/** The kinds of this release, as statements take them. */
export function knownTo(engine: Pick<Engine, "kinds" | "limited">): Known {
  const own = [...engine.kinds.values()].filter(({ limits }) => limits && !unlimited(limits));
  return {
    names: [...engine.kinds.keys()],
    limits: `{${own.map(({ name, limits = {} }) => `${JSON.stringify(name)}:${encodeLimits(limits)}`)}}`,
    limited: new Set([...engine.limited, ...own.map(({ name }) => name)]),
  };
}
