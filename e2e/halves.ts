import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export type Halves = {
  url: string;
  /** Lets the second half of the document come. */
  rest: () => void;
  close: () => Promise<void>;
};

/** The same server over a line on which a document comes in two halves; all else comes as it is. */
export async function inHalves(origin: string, change = (html: string) => html): Promise<Halves> {
  const { promise, resolve: rest } = Promise.withResolvers<void>();
  const { host, hostname, port } = new URL(origin);
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, host, "accept-encoding": "identity" };
    const call = request({ hostname, port, path: asked.url, method: asked.method, headers }, async (given) => {
      answer.writeHead(given.statusCode as number, given.headers);
      if (!given.headers["content-type"]?.startsWith("text/html")) return given.pipe(answer);
      let html = "";
      for await (const piece of given.setEncoding("utf8")) html += piece;
      const changed = change(html);
      const middle = changed.indexOf("</main>") / 2;
      answer.write(changed.slice(0, middle));
      await promise;
      answer.end(changed.slice(middle));
    });
    asked.pipe(call);
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}/`,
    rest,
    close: () =>
      new Promise((closed) => {
        proxy.close(() => closed());
        proxy.closeAllConnections();
      }),
  };
}
