/** After this, sign in again. Signing out forgets the cookie; another secret, or a revoked token, ends all its sessions at once. */
export const SESSION_MS = 12 * 3_600_000;

const encoder = new TextEncoder();

/**
 * `expiry.signature`, or `expiry.id.signature` where it is of a stored token: nothing is stored of it, so nothing can be
 * looked up or leak. `secret`: ADMIN_TOKEN, or the digest that is stored of the token.
 */
export async function sealSession(secret: string, now: number, of?: { id: string; expiresAt: number | null }) {
  const until = Math.min(now + SESSION_MS, of?.expiresAt ?? Number.POSITIVE_INFINITY);
  const claim = of ? `${until}.${of.id}` : String(until);
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), encoder.encode(claim));
  return `${claim}.${new Uint8Array(signature).toHex()}`;
}

/** What a session says of itself before anybody looks at its signature; null: it is none, or it is over. */
export function claimOf(value: string, now: number): { claim: string; id: string | null; signature: string } | null {
  const [, claim, expires, id = null, signature] =
    /^((\d{1,16})(?:\.([0-9a-f-]{36}))?)\.([0-9a-f]{64})$/.exec(value) ?? [];
  if (!claim || !signature || Number(expires) <= now) return null;
  return { claim, id, signature };
}

export async function isSealedBy(secret: string, { claim, signature }: { claim: string; signature: string }) {
  return crypto.subtle.verify("HMAC", await keyOf(secret), Uint8Array.fromHex(signature), encoder.encode(claim));
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
async function keyOf(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("redrive session") };
  return crypto.subtle.deriveKey(derivation, material, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}
