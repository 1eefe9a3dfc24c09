import type { Hide } from "~/domain/secrets";

/** The first `max` bytes of a body as text without secrets; the rest is cancelled, so that it holds no connection. */
export async function bodyText(response: Response, max: number, hide: Hide): Promise<string> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return hide(text + decoder.decode());
    text += decoder.decode(value.subarray(0, max - size), { stream: true });
    size += value.length;
    if (size < max) continue;
    await reader.cancel();
    // Half a character stays behind in the decoder.
    return `${hide(text, true)}… [cut at ${max} bytes]`;
  }
}
