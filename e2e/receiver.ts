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
  /** This machine's clock in ms. `end` is null while the request is open. */
  begin: number;
  end: number | null;
  /** Whether the sender was gone before the answer was. */
  cutOff: boolean;
};

export type Reply = { status?: number; headers?: Record<string, string>; body?: string };
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
      for await (const chunk of request) received.body += chunk;
      const { status = 200, headers: answered = {}, body = "" } = await this.answer(received, earlier);
      response.writeHead(status, answered).end(body);
    } catch {
      // The sender is gone: `close` has said so.
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
