import { registryOf } from "~/kinds/registry";
import { sendEmail } from "~/kinds/send_email";
import { servicesOf } from "~/kinds/services";
import { welcomeEmail } from "~/kinds/welcome_email";
import { World } from "./world";

export const MAIL_VARS = { MAIL_API_KEY: "re_key", MAIL_FROM: "Shop <shop@example.com>" };

export type Asked = {
  url: string;
  key: string | null;
  authorization: string | null;
  agent: string | null;
  body: string;
};
type Answer = (asked: Asked, before: Asked[]) => Response | Promise<Response>;

/** A mail provider that honours keys: one mail for each, and the first id again for the same key. */
export class MailProvider {
  readonly asked: Asked[] = [];
  readonly mails = new Map<string, Asked>();
  /** Set to answer otherwise; `accept` inside it takes the mail. */
  answer: Answer = (asked) => this.accept(asked);

  accept(asked: Asked): Response {
    const key = asked.key ?? `no key ${this.mails.size}`;
    const first = this.mails.get(key);
    if (first && first.body !== asked.body) return refusal(409, "invalid_idempotent_request");
    this.mails.set(key, first ?? asked);
    return Response.json({ id: `mail ${[...this.mails.keys()].indexOf(key) + 1}` });
  }

  fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const asked = {
      url: request.url,
      key: request.headers.get("idempotency-key"),
      authorization: request.headers.get("authorization"),
      agent: request.headers.get("user-agent"),
      body: await request.text(),
    };
    this.asked.push(asked);
    return this.answer(asked, this.asked.slice(0, -1));
  };
}

/** A refusal in the provider's own words. */
export const refusal = (status: number, name: string, headers: Record<string, string> = {}): Response =>
  Response.json({ statusCode: status, name, message: `told so by a test: ${name}` }, { status, headers });

/** A world that mails: through the HTTP provider, or with other bindings. */
export function mailWorld(bindings: object = MAIL_VARS): { world: World; provider: MailProvider } {
  const world = new World(registryOf(sendEmail, welcomeEmail));
  const provider = new MailProvider();
  world.services = servicesOf(bindings);
  world.fetch = provider.fetch;
  return { world, provider };
}
