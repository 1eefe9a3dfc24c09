import type { Problem } from "../submission";
import { ENDPOINT_TYPES, type EndpointType } from "./webhooks";

/** The form of a new endpoint as it was typed. */
export type EndpointFields = {
  name: string;
  type: EndpointType;
  url: string;
  service: string;
  path: string;
  headers: string;
  secret: string;
};

export function endpointFieldsOf(form: FormData): EndpointFields {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const type = text("type") as EndpointType;
  return {
    name: text("name"),
    type: ENDPOINT_TYPES.includes(type) ? type : "standard",
    url: text("url"),
    service: text("service"),
    path: text("path"),
    headers: String(form.get("headers") ?? ""),
    secret: text("secret"),
  };
}

/** Headers as lines of `Name: value`; spaces around a value are no part of it. */
export function headerLines(text: string): { headers: [string, string][]; problems: Problem[] } {
  const headers: [string, string][] = [];
  const problems: Problem[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    if (colon < 0) problems.push({ path: "headers", message: `line ${index + 1} is not like "Name: value"` });
    else headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return { headers, problems };
}

/** What the form asks for, empty fields left out: as a call would say it. */
export function endpointCallOf(fields: EndpointFields, headers: [string, string][]): object {
  const { name, type, ...rest } = fields;
  const given = Object.entries({ ...rest, headers: "" }).filter(([, value]) => value !== "");
  return { name, type, ...Object.fromEntries(given), headers: Object.fromEntries(headers) };
}
