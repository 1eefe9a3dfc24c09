import { bytesOf } from "~/domain/body";
import { PermanentError } from "~/domain/errors";
import { readable } from "~/domain/watches/page_text";
import type { Target } from "~/domain/watches/watch";

const PAGE_BYTES = 5_000_000;
/**
 * Elements and pieces of text. A real page of five megabytes has a hundred thousand; one of millions, such as nothing but
 * "<", would use up the CPU time of the invocation and take the jobs beside it along.
 */
const PAGE_PIECES = 250_000;

/** The watched text of a page. A page that does not show it any more is a failed check that no retry helps. */
export async function readPage(response: Response, { selector, attribute }: Target): Promise<string> {
  const type = (response.headers.get("content-type") ?? "text/html").toLowerCase();
  const [media = ""] = type.split(";").map((part) => part.trim());
  const marked = /html|xml/.test(media);
  if (!marked && !/^text\/|json$/.test(media)) throw new PermanentError(`the page is ${media}, which is no text`);
  if (!marked && selector !== null) throw new PermanentError(`the page is ${media}: a selector looks into HTML only`);
  const bytes = await bytesOf(response.body, PAGE_BYTES);
  if (bytes === null) throw new PermanentError(`the page is over ${PAGE_BYTES} bytes`);
  const text = decode(bytes, type);
  if (!marked) return readable(text);
  const found = await select(text, selector, attribute);
  if (found !== null) return readable(found);
  throw new PermanentError(`nothing on the page matches ${selector}${attribute ? ` with ${attribute}` : ""}`);
}

/** Why a selector cannot be used, or null if it can. */
export function selectorProblem(selector: string): string | null {
  try {
    new HTMLRewriter().on(selector, {});
    return null;
  } catch (error) {
    return `is no selector that is understood here: ${(error as Error).message.replace(/^Parser error: /, "")}`;
  }
}

const META_BYTES = 1_024;

/** In the encoding that the answer or the page names; UTF-8 where neither does, or names one that nobody knows. */
function decode(bytes: Uint8Array, type: string): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, META_BYTES));
  const [, label] = /charset="?([\w:.-]+)/.exec(type) ?? /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(head) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Elements whose text stands in the same line as what is around them. */
const INLINE =
  /^(a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr)$/;
/** What no reader sees in the page. A selector may ask for it: prices also stand in scripts. */
const HIDDEN = "script, style, noscript, template, title";

/** The text of what `selector` finds (null: of the whole page), or one attribute of each; null where it finds nothing. */
async function select(html: string, selector: string | null, attribute: string | null): Promise<string | null> {
  let text = "";
  let found = selector === null;
  let hidden = 0;
  let asked = 0;
  let pieces = 0;
  const read = (chunk: Text) => {
    pieces++;
    if (attribute === null && (hidden === 0 || asked > 0)) text += chunk.text;
  };
  const rewriter = new HTMLRewriter()
    .on("*", {
      element(element) {
        pieces++;
        if (INLINE.test(element.tagName)) return;
        text += "\n";
        atEnd(element, () => {
          text += "\n";
        });
      },
    })
    .on(HIDDEN, {
      element(element) {
        hidden++;
        atEnd(element, () => hidden--);
      },
    });
  if (selector === null) rewriter.onDocument({ text: read });
  else {
    rewriter.on(selector, {
      element(element) {
        const value = attribute === null ? "" : element.getAttribute(attribute);
        if (value === null) return;
        found = true;
        text += `\n${value}`;
        if (!HIDDEN.split(", ").includes(element.tagName)) return;
        asked++;
        atEnd(element, () => asked--);
      },
      text: read,
    });
  }
  await rewriter.transform(new Response(slices(html, () => pieces > PAGE_PIECES))).arrayBuffer();
  if (pieces > PAGE_PIECES) throw new PermanentError(`the page has over ${PAGE_PIECES} elements and pieces of text`);
  return found ? text : null;
}

const SLICE_BYTES = 65_536;

/** A page bit by bit, and no more of it where `enough`: what reads it must not throw, the runtime takes that for a crash. */
function slices(html: string, enough: () => boolean): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(html);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (enough() || at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + SLICE_BYTES));
      at += SLICE_BYTES;
    },
  });
}

/** Some elements have no end tag, and asking for it throws. */
function atEnd(element: Element, then: () => void): void {
  if (/^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(element.tagName)) return;
  element.onEndTag(then);
}
