const DRAINED_BYTES = 1_048_576;

/**
 * Reads to its end what nobody behind the door has read of a small body. The local server keeps one connection for many
 * requests, and the runtime closes it over an unread body: now and then the next request on it would fail.
 */
export async function drain(request: Request): Promise<void> {
  if (request.body === null || request.bodyUsed || request.body.locked) return;
  // What does not say how long it is, or is long, may cost a connection.
  const length = request.headers.get("Content-Length");
  if (length === null || Number(length) > DRAINED_BYTES) return;
  await request.arrayBuffer().catch(() => {});
}
