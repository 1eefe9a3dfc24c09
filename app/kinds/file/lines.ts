/** So much text is gathered before it is handed on. */
const GATHER_CHARS = 16_384;

/** Gathers the pieces of derived lines: one join makes less to clean up than a text that grows piece by piece. */
export class Lines {
  private pieces: string[] = [];
  private chars = 0;

  add(piece: string): void {
    this.pieces.push(piece);
    this.chars += piece.length;
  }

  get full(): boolean {
    return this.chars >= GATHER_CHARS;
  }

  take(): string {
    const text = this.pieces.join("");
    this.pieces.length = 0;
    this.chars = 0;
    return text;
  }
}
