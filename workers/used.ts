import type { App } from "~/cloudflare";

/**
 * Says with an answer what it asked of D1 before its first byte went out, where browsers show it beside the request:
 * `Server-Timing: d1;desc="calls=1 statements=9 rows=40"`. Visitors whom nobody knows are not told.
 */
export function withUsed(response: Response, { engine, identity }: App): Response {
  if (identity.how === "public") return response;
  const { calls, statements, rowsRead } = engine.store.used;
  const told = new Response(response.body, response);
  told.headers.append("Server-Timing", `d1;desc="calls=${calls} statements=${statements} rows=${rowsRead}"`);
  return told;
}
