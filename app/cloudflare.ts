import { createContext } from "react-router";
import type { Engine } from "./lifecycle/engine";

/** Who is asking, as the door found out. `how` tells apart the ways in. */
export type Identity = { name: string; how: "local" | "access" | "token" | "session" | "public" };

export type App = {
  engine: Engine;
  identity: Identity;
  local: boolean;
  nonce: string;
  /** The name of this deployment, where it was given one. */
  environment?: string;
};

/** What loaders and actions read: filled once a request in workers/app.ts. */
export const appContext = createContext<App>();
