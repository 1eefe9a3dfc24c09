import { PermanentError } from "~/domain/errors";

/** Bytes to text, piece by piece: UTF-8, its mark taken off. What is no text ends the job, with the place where. */
export class TextReader {
  private readonly decoder = new TextDecoder("utf-8", { fatal: true });
  private read = 0;

  push(bytes: Uint8Array): string {
    const nul = bytes.indexOf(0);
    if (nul >= 0) {
      throw new PermanentError(`byte ${this.read + nul + 1} is NUL: this is no UTF-8 text (UTF-16, or a binary file?)`);
    }
    const text = this.decode(bytes, true);
    this.read += bytes.length;
    return text;
  }

  end(): string {
    return this.decode(new Uint8Array(0), false);
  }

  private decode(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.decoder.decode(bytes, { stream });
    } catch {
      const to = this.read + bytes.length;
      throw new PermanentError(`the file is not UTF-8: see its bytes ${Math.max(1, this.read - 2)} to ${to}`);
    }
  }
}
