import type { NewEndpoint } from "~/store/webhooks/endpoints";
import { createEndpoint } from "~/store/webhooks/endpoints";
import type { World } from "./world";

export const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

export type Received = { url: string; headers: Headers; body: string; at: number };
/** `nth`: 1 for the first request to this address. */
export type Answering = (request: Received, nth: number, signal: AbortSignal) => Response | Promise<Response>;

/** All receivers of the outside: what each address was asked, and how many connections were open at once. */
export class Receivers {
  readonly received: Received[] = [];
  answer: Answering = () => new Response();
  most = 0;
  private open = 0;

  constructor(world: World) {
    world.fetch = async (input, init) => {
      const request = new Request(input as string, init);
      const received = { url: request.url, headers: request.headers, body: await request.text(), at: world.now };
      this.received.push(received);
      this.most = Math.max(this.most, ++this.open);
      try {
        return await this.answer(received, this.to(request.url).length, init?.signal as AbortSignal);
      } finally {
        this.open--;
      }
    };
  }

  to = (url: string): Received[] => this.received.filter((one) => one.url === url);
  counts = (urls: string[]): number[] => urls.map((url) => this.to(url).length);
}

export const never = (): Promise<never> => new Promise(() => {});

export async function saveEndpoint(world: World, rest: Partial<NewEndpoint> = {}): Promise<string> {
  const { engine } = world.invocation();
  const id = engine.newId();
  const endpoint: NewEndpoint = {
    id,
    name: "saved",
    type: "standard",
    address: `https://saved.example/${id}`,
    service: null,
    headers: {},
    secret: SECRET,
    ...rest,
  };
  await createEndpoint(engine.store, engine.newToken(), endpoint, {
    id: engine.newId(),
    actor: "ann",
    action: "endpoint.create",
  });
  return id;
}

/** Submits an event and answers the job's id. */
export async function fanOut(world: World, endpoints: object[], rest: object = {}, maxAttempts = 12): Promise<string> {
  const payload = { type: "ping", data: {}, endpoints, ...rest };
  const [id] = await world.submit({ kind: "webhook_fanout", payload, maxAttempts });
  return id as string;
}

export type Row = {
  n: number;
  status: string;
  attempts: number;
  http_status: number | null;
  error: string | null;
  answer: string | null;
  duration_ms: number | null;
  signed: number;
  delay_ms: number | null;
  job_id: string | null;
  webhook_id: string;
  target: string;
};

export const rowsOf = (world: World, fanoutId: string): Promise<Row[]> =>
  world.sql<Row>("SELECT * FROM deliveries WHERE fanout_id = ? ORDER BY n", fanoutId);
