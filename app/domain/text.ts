const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Length in UTF-8 bytes. SQL's length() stops at NUL and JavaScript's counts UTF-16 units, so neither will do. */
export const byteLength = (text: string): number => encoder.encode(text).length;

/** At most `max` UTF-8 bytes of `text`, cut between characters; lone surrogates become U+FFFD, as D1 would store them. */
export function capText(text: string, max: number): string {
  const whole = text.toWellFormed();
  if (whole.length * 3 <= max) return whole;
  const bytes = encoder.encode(whole);
  if (bytes.length <= max) return whole;
  const note = encoder.encode(`… [cut: ${bytes.length} bytes]`);
  let end = note.length > max ? max : max - note.length;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return decoder.decode(bytes.subarray(0, end)) + (note.length > max ? "" : decoder.decode(note));
}

/** At most `max` characters for a list cell, never half an emoji. */
export function preview(text: string, max = 200): string {
  const cut = text.slice(0, max * 2);
  const chars = [...cut];
  return chars.length <= max && cut.length === text.length ? text : `${chars.slice(0, max - 1).join("")}…`;
}
