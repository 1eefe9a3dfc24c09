import { Agent, request } from "node:http";
import { gzipSync } from "node:zlib";

export type Answer = {
  status: number;
  ms: number;
  /** Of the body, as it is sent; and as the platform sends it in production, where every text is compressed. */
  bytes: number;
  gzipBytes: number;
  /** Of status line and headers. */
  headBytes: number;
  etag: string | undefined;
  d1Calls: number;
  statements: number;
  rowsRead: number;
};

/** One connection, kept open, as a browser's is. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Asks once, and waits for the last byte. */
export function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { accept: "*/*", ...headers } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const ms = performance.now() - begun;
      const body = Buffer.concat(chunks);
      const told = /calls=(\d+) statements=(\d+) rows=(\d+)/.exec(String(response.headers["server-timing"]));
      resolve({
        status: response.statusCode ?? 0,
        ms,
        bytes: body.length,
        gzipBytes: body.length === 0 ? 0 : gzipSync(body, { level: 6 }).length,
        headBytes: `HTTP/1.1 ${response.statusCode} \r\n${response.rawHeaders.join("  ")}\r\n`.length,
        etag: response.headers.etag,
        d1Calls: Number(told?.[1]),
        statements: Number(told?.[2]),
        rowsRead: Number(told?.[3]),
      });
    });
    call.once("error", reject);
    call.end();
  });
}
