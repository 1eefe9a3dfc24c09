import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { appContext } from "./cloudflare";

export const streamTimeout = 5_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const { nonce } = context.get(appContext);
  let shell = false;
  let answered = status;
  const body = await renderToReadableStream(<ServerRouter context={router} url={request.url} nonce={nonce} />, {
    nonce,
    // Later than the router's own end, so that it still can stream what it gave up on.
    signal: AbortSignal.timeout(streamTimeout + 1_000),
    onError(error) {
      answered = 500;
      // Before the shell stands the error is thrown as well, and logged by whoever catches it.
      if (shell) console.error(error);
    },
  });
  shell = true;
  if (isbot(request.headers.get("User-Agent"))) await body.allReady;
  return new Response(body, { status: answered, headers });
}

/** An address that does not exist, or a visitor who left, is no error of ours. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (!request.signal.aborted && !isRouteErrorResponse(error)) console.error(error);
}
