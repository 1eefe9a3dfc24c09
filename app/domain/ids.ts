/** A source of job ids: UUIDv7 (RFC 9562), strictly increasing within one source, also inside one millisecond. */
export function idSource(nowMs: () => number, random: (bytes: Uint8Array) => Uint8Array = randomBytes): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const bytes = random(new Uint8Array(16));
    const ms = nowMs();
    if (ms > lastMs) {
      lastMs = ms;
      // 24 of the 32 counter bits start random, the top ones zero: room to count (RFC 9562, 6.2, method 1).
      counter = ((bytes[6] as number) << 16) | ((bytes[7] as number) << 8) | (bytes[8] as number);
    } else {
      counter++;
    }
    return format(lastMs, counter, bytes);
  };
}

/** Creation time in ms that a UUIDv7 carries, or null if `id` is none. */
export function idTime(id: string): number | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return null;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** An id of this form that is the same for the same `bytes` at the same time. */
export const idOf = (ms: number, bytes: Uint8Array): string =>
  format(ms, new DataView(bytes.buffer).getUint32(0), bytes.slice(0, 16));

export const token = (): string => crypto.randomUUID();

function format(ms: number, counter: number, bytes: Uint8Array): string {
  const time = ms.toString(16).padStart(12, "0");
  const high = Math.floor(counter / 2 ** 20) & 0xfff;
  const low = (Math.floor(counter / 2 ** 6) & 0x3fff) | 0x8000;
  bytes[10] = ((counter & 0x3f) << 2) | ((bytes[10] as number) & 0x03);
  const tail = [...bytes.subarray(10)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${high.toString(16).padStart(3, "0")}-${low.toString(16)}-${tail}`;
}

function randomBytes(bytes: Uint8Array): Uint8Array {
  return crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
}
