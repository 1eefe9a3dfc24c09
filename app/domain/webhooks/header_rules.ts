/** One custom header, and what is wrong with it. */
export type HeaderProblem = { name: string; message: string };

const VALUE_CHARS = 8_192;
const HEADERS = 20;
/** They belong to the connection, say who is calling or what is sent, or are the product's own. */
const RESERVED =
  /^(host|content-length|content-type|content-encoding|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive|date|cf-.*|proxy-.*|webhook-.*)$/i;

/**
 * Which custom headers must not be saved. What is left is sent byte for byte as it was written: fetch would trim spaces,
 * join repeats, and write anything beyond ASCII differently in different runtimes.
 */
export function headerProblems(headers: [name: string, value: string][]): HeaderProblem[] {
  const problems = headers.flatMap(([name, value], index) => {
    const message = problemOf(name, value, headers.slice(0, index));
    return message === null ? [] : [{ name, message }];
  });
  if (headers.length > HEADERS) problems.push({ name: "", message: `takes at most ${HEADERS} headers` });
  return problems;
}

function problemOf(name: string, value: string, earlier: [string, string][]): string | null {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return "is no header name";
  if (RESERVED.test(name)) return "is set by the product";
  if (earlier.some(([other]) => other.toLowerCase() === name.toLowerCase())) return "is given twice";
  if (value === "") return "has no value";
  if (value.length > VALUE_CHARS) return `is over ${VALUE_CHARS} characters`;
  if (!/^[\x20-\x7e]+$/.test(value)) return "takes printable ASCII only, in one line";
  if (value !== value.trim()) return "must not begin or end with a space";
  return null;
}
