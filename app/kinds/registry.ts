import type { Kind } from "./define";
import { demo } from "./demo";
import { httpRequest } from "./http_request";

export type Registry = ReadonlyMap<string, Kind>;

export const registryOf = (...kinds: Kind[]): Registry => new Map(kinds.map((kind) => [kind.name, kind]));

/** The kinds of this deployment: add yours here. */
export const registry: Registry = registryOf(demo, httpRequest);
