import { Webhook } from "standardwebhooks";

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = { min: 24, max: 64, ours: 32 };
const PREFIX = "whsec_";

/** While a key is rotated both sign: a receiver that knows one of them can verify. */
export const ROTATION_MS = 86_400_000;

export function newSecret(random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes)): string {
  const bytes = random(new Uint8Array(SECRET_BYTES.ours));
  return PREFIX + btoa(String.fromCharCode(...bytes));
}

/** Why a text is no signing secret, or null if it is. */
export function secretProblem(secret: string): string | null {
  const rule = `is ${PREFIX} and ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes in base64`;
  if (!secret.startsWith(PREFIX)) return rule;
  try {
    const { length } = atob(secret.slice(PREFIX.length));
    // The library takes padded base64 only.
    new Webhook(secret);
    return length >= SECRET_BYTES.min && length <= SECRET_BYTES.max ? null : rule;
  } catch {
    return rule;
  }
}

/** The headers of Standard Webhooks over the very text that is sent. Without a secret the message is told, not signed. */
export function webhookHeaders(id: string, atMs: number, body: string, secrets: string[]): Record<string, string> {
  const at = new Date(Math.floor(atMs / 1000) * 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at.getTime() / 1000),
    ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
  };
}
