import type { Reader } from "~/domain/people/hidden";
import type { KnownKinds } from "~/domain/secrets";

/** Somebody who may see payloads, in a release that knows these kinds. */
export const seeing = (known: KnownKinds): Reader => ({ known, payloads: true });
