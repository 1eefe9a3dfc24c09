/** After this, sign in again. Signing out forgets the cookie; another ADMIN_TOKEN ends all sessions at once. */
export const SESSION_MS = 12 * 3_600_000;

const encoder = new TextEncoder();

/** `expiry.signature`: nothing is stored, so nothing can be looked up or leak. */
export async function sealSession(adminToken: string, now: number): Promise<string> {
  const expires = String(now + SESSION_MS);
  const signature = await crypto.subtle.sign("HMAC", await keyOf(adminToken), encoder.encode(expires));
  return `${expires}.${new Uint8Array(signature).toHex()}`;
}

export async function isSession(value: string, adminToken: string, now: number): Promise<boolean> {
  const [, expires, signature] = /^(\d{1,16})\.([0-9a-f]{64})$/.exec(value) ?? [];
  if (!expires || !signature || Number(expires) <= now) return false;
  const key = await keyOf(adminToken);
  return crypto.subtle.verify("HMAC", key, Uint8Array.fromHex(signature), encoder.encode(expires));
}

/** `__Host-`: no other host, and no page without TLS, can have set it. */
export const sessionCookie = (url: URL): string => (url.protocol === "https:" ? "__Host-redrive" : "redrive");

export function setSession(url: URL, value: string, maxAgeMs: number): string {
  const secure = url.protocol === "https:" ? "; Secure" : "";
  return `${sessionCookie(url)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(maxAgeMs / 1000)}${secure}`;
}

export function readSession(request: Request, url: URL): string | null {
  const name = `${sessionCookie(url)}=`;
  const pairs = (request.headers.get("Cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(name))?.slice(name.length) ?? null;
}

/** Derived, so that a signature tells nothing about what the bearer token's digest would be. */
async function keyOf(adminToken: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(adminToken), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("redrive session") };
  return crypto.subtle.deriveKey(derivation, material, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}
