import { createContext } from "react-router";
import type { Reader } from "./domain/people/hidden";
import { personName } from "./domain/people/people";
import type { Rights } from "./domain/people/roles";
import type { Engine } from "./lifecycle/engine";

/** Who is asking, and what they may do, as the door found out. `how` tells apart the ways in. */
export type Identity = Rights & { name: string; how: "local" | "access" | "token" | "session" | "binding" | "public" };

export type App = {
  engine: Engine;
  identity: Identity;
  local: boolean;
  /** The deployment has a token of its own, which is an admin's whatever is listed. */
  adminToken: boolean;
  nonce: string;
  /** The name of this deployment, where it was given one. */
  environment?: string;
};

/** What loaders and actions read: filled once a request in workers/app.ts. */
export const appContext = createContext<App>();

/** For whom a page or a call reads. */
export const readerOf = ({ engine, identity }: App): Reader => ({ known: engine.kinds, payloads: identity.payloads });

/** Who asks, as people who come in through Access are listed; whoever came in another way is no less of an admin without. */
export const askerOf = ({ identity, local, adminToken }: App): { self: string; spare: boolean } => ({
  self: identity.how === "access" ? personName(identity.name) : "",
  spare: local || adminToken,
});
