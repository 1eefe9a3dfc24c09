import { type WatchCall, watchOf } from "~/domain/watches/watch";
import { httpRequest } from "~/kinds/http_request";
import { registryOf } from "~/kinds/registry";
import { sendEmail } from "~/kinds/send_email";
import { watchTelling } from "~/kinds/watch/telling";
import { watchPage } from "~/kinds/watch_page";
import { createWatch } from "~/store/watches/edits";
import { World } from "./world";

export type Asked = { url: string; headers: Headers; method: string; body: string };
type Answering = (asked: Asked, nth: number) => Response | Promise<Response>;

/** A world with watches, and the outside that they look at and tell. */
export class WatchWorld extends World {
  readonly asked: Asked[] = [];
  /** `nth`: 1 for the first request to this address. */
  answer: Answering = () => html("<p>same</p>");

  constructor(at: string | number) {
    super(registryOf(watchPage, watchTelling, httpRequest, sendEmail));
    this.now = typeof at === "number" ? at : Date.parse(at);
    this.fetch = async (input, init) => {
      const request = new Request(input as string, init);
      const asked = { url: request.url, headers: request.headers, method: request.method, body: await request.text() };
      this.asked.push(asked);
      return this.answer(asked, this.to(asked.url).length);
    };
  }

  to = (url: string): Asked[] => this.asked.filter((one) => one.url === url);

  async sweepAt(at: string | number) {
    this.now = typeof at === "number" ? at : Date.parse(at);
    return this.sweep();
  }

  watch = async (id: string) =>
    (await this.sql<Record<string, any>>("SELECT * FROM watches WHERE id = ?", id))[0] as Record<string, any>;
  checks = (id: string) =>
    this.sql<Record<string, any>>("SELECT * FROM watch_checks WHERE watch_id = ? ORDER BY slot_at", id);
  due = async (id: string) => {
    const { due_at } = await this.watch(id);
    return due_at === null ? null : new Date(due_at).toISOString();
  };
}

export const PAGE = "https://shop.example/item";
export const html = (body: string, headers: Record<string, string> = {}, status = 200): Response =>
  new Response(body, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers } });

/** Puts a watch straight into the store: `dueAt` is its next slot. */
export async function putWatch(world: World, dueAt: string | number, rest: Partial<WatchCall> = {}): Promise<string> {
  const { engine } = world.invocation();
  const id = engine.newId();
  const call = { name: "price", url: PAGE, compare: "text", channels: {}, timeZone: "UTC", ...rest } as WatchCall;
  const timed = call.everyMinutes === undefined && call.cron === undefined ? { ...call, cron: "0 8 * * *" } : call;
  const at = typeof dueAt === "number" ? dueAt : Date.parse(dueAt);
  const entry = { id: engine.newId(), actor: "ann", action: "watch.create" as const };
  const made = { id, origin: "https://redrive.example", dueAt: at };
  await createWatch(engine.store, engine.newToken(), made, watchOf(timed, at), entry);
  return id;
}
