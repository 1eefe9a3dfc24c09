import { request } from "node:http";

export type Raw = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** A request exactly as written: repeated headers, odd paths and odd bytes are not tidied up as `fetch` would. */
export function raw(
  origin: string,
  method: string,
  path: string,
  headers: [string, string][] = [],
  body = "",
): Promise<Raw> {
  const { hostname, port } = new URL(origin);
  const sent = headers.flat();
  if (!headers.some(([name]) => /^host$/i.test(name))) sent.push("Host", new URL(origin).host);
  if (body) sent.push("Content-Length", String(Buffer.byteLength(body)));
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path, headers: sent }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
    });
    call.once("error", reject);
    call.end(body);
  });
}
