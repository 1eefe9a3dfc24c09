import type { RouteConfig, z } from "@hono/zod-openapi";
import type { App } from "~/cloudflare";
import type { ProblemStatus } from "~/domain/problem";

/** One call of the API: what it answers, and what the document says of it, side by side. */
export type Route = {
  method: "get" | "post" | "put";
  /** As in the document, below /api/v1: `/jobs/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /** Everything else in the query is refused by name. */
  query?: z.ZodObject;
  /** The same for the document, where a query's texts have types. */
  parameters?: z.ZodObject;
  /** JSON, where its type is not given. */
  body?: { required: boolean; description: string; schema: z.ZodType; type?: string };
  /** Answered from the revision: `If-None-Match` costs one row. */
  cached?: true;
  answers: Record<number, RouteConfig["responses"][number]>;
  problems: Partial<Record<ProblemStatus, string>>;
  handle: (call: Call) => Promise<Response>;
};

export type Call = { request: Request; url: URL; params: Record<string, string>; app: App };
