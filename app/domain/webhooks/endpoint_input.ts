import { z } from "zod";
import { type OutboundRules, outboundProblem } from "../outbound";
import type { Problem } from "../submission";
import { headerProblems } from "./header_rules";
import { secretProblem } from "./signature";
import { ENDPOINT_TYPES, type EndpointType } from "./webhooks";

export const ADDRESS_CHARS = 2_048;

export const serviceName = z.string().regex(/^[A-Za-z_]\w{0,99}$/, "is the name of a service binding, as in BILLING");
export const servicePath = z
  .string()
  .max(ADDRESS_CHARS)
  .regex(/^\/(?!\/)[\x21-\x7e]*$/, "is a path, as in /events");

/** An endpoint to be saved. */
export const NEW_ENDPOINT = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "is missing")
    .max(100)
    .refine((name) => !/\p{Cc}/u.test(name), "takes one line of text"),
  type: z.enum(ENDPOINT_TYPES).default("standard"),
  url: z.string().max(ADDRESS_CHARS).optional(),
  service: serviceName.optional(),
  path: servicePath.optional(),
  headers: z.record(z.string(), z.string()).default({}),
  secret: z.string().max(200).optional(),
});
export type EndpointInput = z.output<typeof NEW_ENDPOINT>;

const TAKES: Record<EndpointType, (keyof EndpointInput)[]> = {
  standard: ["url", "headers", "secret"],
  slack: ["url"],
  service: ["service", "path", "headers", "secret"],
};

/** What the fields say together. `headers` as they were written: an object of JSON has lost what was given twice. */
export function endpointProblems(input: EndpointInput, headers: [string, string][], rules: OutboundRules): Problem[] {
  const takes = TAKES[input.type];
  const wants = input.type === "service" ? "service" : "url";
  const problems = (Object.keys(input) as (keyof EndpointInput)[])
    .filter((field) => !["name", "type", ...takes].includes(field) && !(field === "headers" && headers.length === 0))
    .map((field): Problem => ({ path: field, message: `does not go with type ${input.type}` }));
  if (input[wants] === undefined) problems.push({ path: wants, message: "is missing" });
  const address = input.url === undefined ? null : outboundProblem(input.url, rules);
  if (address) problems.push({ path: "url", message: address });
  for (const { name, message } of headerProblems(headers)) {
    problems.push({ path: name ? `headers.${name}` : "headers", message });
  }
  const secret = input.secret === undefined ? null : secretProblem(input.secret);
  if (secret) problems.push({ path: "secret", message: secret });
  return problems;
}
