import { sha256 } from "~/domain/sha256";

/** The token of an Authorization header. Two such headers arrive as one, joined by a comma, and so match nothing. */
export const bearerOf = (authorization: string): string => /^bearer +(.+)$/i.exec(authorization)?.[1] ?? "";

/** Digests have one length whatever was sent, and comparing them takes the same time. */
export async function isSameToken(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(given), sha256(expected)]);
  return crypto.subtle.timingSafeEqual(a, b);
}
