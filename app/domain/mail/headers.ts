/**
 * Headers that a mail may carry beside those that its fields make. A list of what is allowed, not of what is not: a name
 * that nobody here has thought of must not become a recipient elsewhere. It is Cloudflare's list, so that one input goes
 * with every provider; names of one's own begin with X-.
 */
const ALLOWED = new Set(
  [
    ["in-reply-to", "references", "auto-submitted", "precedence", "archived-at", "expires", "reply-by"],
    ["list-unsubscribe", "list-unsubscribe-post", "list-id", "list-archive", "list-help", "list-owner", "list-post"],
    ["list-subscribe", "content-language", "keywords", "comments", "importance", "priority", "sensitivity"],
    ["organization"],
  ].flat(),
);
const NAME_CHARS = 100;
/** A line of a mail has no more. */
const VALUE_CHARS = 998;
const HEADERS = 20;
const ALL_BYTES = 16_000;

export type HeaderProblem = { name: string; message: string };

export function mailHeaderProblems(headers: Record<string, string>): HeaderProblem[] {
  const names = Object.keys(headers);
  const problems = names.flatMap((name, index) => {
    const message = problemOf(name, headers[name] as string, names.slice(0, index));
    return message === null ? [] : [{ name, message }];
  });
  if (names.length > HEADERS) problems.push({ name: "", message: `takes at most ${HEADERS} headers` });
  const bytes = names.reduce((sum, name) => sum + name.length + (headers[name] as string).length + 4, 0);
  if (bytes > ALL_BYTES) problems.push({ name: "", message: `takes at most ${ALL_BYTES} bytes of headers in all` });
  return problems;
}

function problemOf(name: string, value: string, earlier: string[]): string | null {
  const lower = name.toLowerCase();
  const own = name.length <= NAME_CHARS && /^x-[a-z0-9_-]+$/.test(lower);
  if (!own && !ALLOWED.has(lower)) {
    return "is no header that a mail may set here: take one of X-…, List-…, In-Reply-To, References, Auto-Submitted and the like";
  }
  if (earlier.some((other) => other.toLowerCase() === lower)) return "is given twice";
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
    return "takes one line of printable ASCII, without spaces around it";
  }
  return value.length > VALUE_CHARS ? `takes at most ${VALUE_CHARS} characters` : null;
}
