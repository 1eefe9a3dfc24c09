/** Set outside wrangler.toml (secrets, `npm start`, the dashboard of the platform), so its types do not know them. */
declare namespace Cloudflare {
  interface Env {
    /** "1": open for requests to localhost. Only `npm start` and `npm run dev` set it. */
    REDRIVE_LOCAL?: string;
    ADMIN_TOKEN?: string;
    /** "1": the daily reports are for everybody. */
    REPORTS_PUBLIC?: string;
    /** Origins of this machine that jobs may call in local mode, separated by commas. */
    OUTBOUND_ALLOW?: string;
    /** Host names of this deployment, separated by commas: no job may call them. */
    OWN_HOSTS?: string;
    /** Of the HTTP mail provider. With it mails go out there; without it through the binding EMAIL, or to the local mailbox. */
    MAIL_API_KEY?: string;
    /** Another address that speaks the provider's API. One of this machine works in local mode only, through OUTBOUND_ALLOW. */
    MAIL_API_URL?: string;
    /** Who sends where a mail does not say so: `Name <mail@example.com>`. */
    MAIL_FROM?: string;
    /** Signs webhooks to receivers that are written out in an event: `whsec_` and 24 to 64 bytes in base64. */
    WEBHOOK_SECRET?: string;
    /** Shown on every page: `production` in red, any other name in a colour of its own. */
    ENVIRONMENT?: string;
    /** "free": fewer D1 statements an invocation. */
    PLAN?: string;
    /** A statement that takes D1 so many ms is logged: 1,000 where nothing is said. */
    SLOW_MS?: string;
  }
}
interface Env extends Cloudflare.Env {}

/** Names the sources this was built from. */
declare const __BUILD__: string;

/** The browser's types and the Worker's share these names, and the browser's win. */
interface SubtleCrypto {
  timingSafeEqual(a: BufferSource, b: BufferSource): boolean;
}
interface Crypto {
  readonly DigestStream: typeof DigestStream;
}
