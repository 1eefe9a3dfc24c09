/** The first `max` bytes of a body as text; the rest is cancelled, so that it holds no connection. */
export async function bodyText(response: Response, max: number): Promise<string> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return decode(parts);
    parts.push(value.subarray(0, max - size));
    size += value.length;
    if (size < max) continue;
    await reader.cancel();
    return `${decode(parts)}… [cut at ${max} bytes]`;
  }
}

function decode(parts: Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
