/** SHA-256 of bytes that pass by. */
export type Digest = { write: (bytes: Uint8Array) => Promise<void>; hex: () => Promise<string> };

/** The platform's own: nothing of what it has seen is kept. */
export function sha256(): Digest {
  const stream = new crypto.DigestStream("SHA-256");
  const writer = stream.getWriter();
  return {
    write: (bytes) => writer.write(bytes),
    async hex() {
      await writer.close();
      return new Uint8Array(await stream.digest).toHex();
    },
  };
}
