import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it came over the wire, and how long whoever sent it was waiting. */
export type Received = {
  method: string;
  /** Path and query. */
  path: string;
  /** As sent: order, spelling and repeats kept. */
  rawHeaders: string[];
  headers: IncomingMessage["headers"];
  body: string;
  /** The very bytes of it. */
  raw: Buffer;
  /** This machine's clock in ms. `end` is null while the request is open. */
  begin: number;
  end: number | null;
  /** Whether the sender was gone before the answer was. */
  cutOff: boolean;
};

export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  /** Part by part; the connection is cut where it throws, as it is where the answer itself does. */
  body?: string | AsyncIterable<string>;
  /** No answer at all: the connection is reset. */
  reset?: true;
};
export type Answer = (request: Received, earlier: Received[]) => Reply | Promise<Reply>;

/** A service on this machine that jobs call: the outside witness of what ran, when, and how often. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = () => ({});

  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on("request", (request, response) => void receiver.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests without an answer yet, whose sender still waits. */
  open(): Received[] {
    return this.received.filter(({ end }) => end === null);
  }

  /** The executions of each job, in the order in which they began. */
  byJob(): Map<string, Received[]> {
    return Map.groupBy(this.received, jobOf);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", rawHeaders, headers } = request;
    const received: Received = {
      method,
      path,
      rawHeaders,
      headers,
      body: "",
      raw: Buffer.alloc(0),
      begin: Date.now(),
      end: null,
      cutOff: false,
    };
    const earlier = [...this.received];
    this.received.push(received);
    response.once("close", () => {
      received.end = Date.now();
      received.cutOff = !response.writableFinished;
    });
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.raw = Buffer.concat(chunks);
      received.body = received.raw.toString();
      const { status = 200, headers: answered = {}, body = "", reset } = await this.answer(received, earlier);
      if (reset) return void request.socket.resetAndDestroy();
      response.writeHead(status, answered);
      if (typeof body === "string") return void response.end(body);
      response.flushHeaders();
      for await (const part of body) response.write(part);
      response.end();
    } catch {
      // The sender is gone, and `close` has said so; or the answer is to cut it off.
      response.destroy();
    }
  }
}

/** Whose execution this is, by the key that `http_request` sends. */
export const jobOf = ({ headers }: Received): string => String(headers["idempotency-key"]).split("/")[0] ?? "";

/** Those of `executions` that began before the one before them had ended. */
export const overlaps = (executions: Received[]): Received[] =>
  executions.filter(({ begin }, index) => {
    const before = executions[index - 1];
    return before !== undefined && (before.end ?? Number.POSITIVE_INFINITY) > begin;
  });
