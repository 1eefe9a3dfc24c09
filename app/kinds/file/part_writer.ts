/** R2 wants all parts of an upload but the last to be of one size, 5 MiB at least. */
export const WRITE_PART_BYTES = 5 * 1024 * 1024;

type Part = { partNumber: number; etag: string };
export type Upload = {
  uploadPart: (number: number, bytes: Uint8Array) => Promise<Part>;
  complete: (parts: Part[]) => Promise<unknown>;
};
export type Target = {
  /** Asked for once there is more than one part. */
  begin: () => Promise<Upload>;
  /** Takes the whole, where it is less than a part. */
  put: (bytes: Uint8Array) => Promise<unknown>;
  /** Sees every byte that is written, in order. */
  see?: (bytes: Uint8Array) => Promise<void>;
};

/** Writes a stream of unknown length to R2. One part is all that is ever held. */
export class PartWriter {
  size = 0;
  private readonly target: Target;
  private readonly buffer: Uint8Array;
  private readonly parts: Part[] = [];
  private readonly encoder = new TextEncoder();
  private upload: Upload | null = null;
  private at = 0;

  constructor(target: Target, partBytes = WRITE_PART_BYTES) {
    this.target = target;
    this.buffer = new Uint8Array(partBytes);
  }

  async text(text: string): Promise<void> {
    for (let rest = text; rest !== ""; ) {
      const { read, written } = this.encoder.encodeInto(rest, this.buffer.subarray(this.at));
      this.at += written;
      this.size += written;
      rest = rest.slice(read);
      // A character that does not fit whole is split over two parts by hand.
      if (rest !== "" && written === 0) {
        const [first = ""] = rest;
        await this.bytes(this.encoder.encode(first));
        rest = rest.slice(first.length);
      } else if (this.at === this.buffer.length) await this.flush();
    }
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + this.buffer.length - this.at);
      this.buffer.set(piece, this.at);
      this.at += piece.length;
      this.size += piece.length;
      from += piece.length;
      if (this.at === this.buffer.length) await this.flush();
    }
  }

  async end(): Promise<void> {
    if (!this.upload) {
      const whole = this.buffer.subarray(0, this.at);
      await this.target.see?.(whole);
      await this.target.put(whole);
      return;
    }
    if (this.at > 0) await this.flush();
    await this.upload.complete(this.parts);
  }

  private async flush(): Promise<void> {
    const part = this.buffer.subarray(0, this.at);
    this.upload ??= await this.target.begin();
    await this.target.see?.(part);
    this.parts.push(await this.upload.uploadPart(this.parts.length + 1, part));
    this.at = 0;
  }
}
