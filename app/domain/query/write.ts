import { parseQuery, type Query, type Term } from "./parse";

/** What to write into the box for this query: `parseQuery` reads the same from it. */
export const writeQuery = ({ terms, text }: Query): string =>
  [...terms.map(writeTerm), writeText(text)].filter(Boolean).join(" ");

export const writeTerm = ({ field, not, values }: Term): string =>
  `${not ? "-" : ""}${field}:${values.map(writeValue).join(",")}`;

const writeValue = (value: string): string => (/^[^\s,"\\]+$/.test(value) ? value : quoted(value));

const quoted = (value: string): string => `"${value.replace(/[\\"]/g, "\\$&")}"`;

function writeText(text: string): string {
  if (text === "") return "";
  const read = parseQuery(text);
  return read.text === text && read.terms.length === 0 && read.problems.length === 0 ? text : `text:${quoted(text)}`;
}
