/** The token of an Authorization header. Two such headers arrive as one, joined by a comma, and so match nothing. */
export const bearerOf = (authorization: string): string => /^bearer +(.+)$/i.exec(authorization)?.[1] ?? "";

/** Digests have one length whatever was sent, and comparing them takes the same time. */
export async function isSameToken(given: string, expected: string): Promise<boolean> {
  const [a, b] = (await Promise.all([given, expected].map(digest))) as [ArrayBuffer, ArrayBuffer];
  return crypto.subtle.timingSafeEqual(a, b);
}

const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
