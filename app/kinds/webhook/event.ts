import { z } from "zod";
import { PermanentError } from "~/domain/errors";
import { memberText } from "~/domain/json";
import { type OutboundRules, outboundProblem } from "~/domain/outbound";
import type { Problem } from "~/domain/submission";
import { ADDRESS_CHARS, serviceName, servicePath } from "~/domain/webhooks/endpoint_input";
import { ENDPOINT_TYPES, FANOUT_ENDPOINTS } from "~/domain/webhooks/webhooks";
import { findPayload } from "~/store/claims";
import type { Store } from "~/store/store";

/** Longer ones would not fit into a delivery job's own timeout. */
const TIMEOUT_SECONDS = { most: 25, usual: 15 };

/** A saved endpoint by its id, or a receiver written out. What must be kept secret is saved, never written here. */
const receiver = z
  .strictObject({
    id: z.uuidv7("is the id of a saved endpoint").optional(),
    type: z.enum(ENDPOINT_TYPES).optional().describe("standard where left out"),
    url: z.string().max(ADDRESS_CHARS).optional(),
    service: serviceName.optional(),
    path: servicePath.optional(),
  })
  .superRefine((to, ctx) => {
    const wants = to.id !== undefined ? "id" : to.type === "service" ? "service" : "url";
    const takes = { id: ["id"], service: ["type", "service", "path"], url: ["type", "url"] }[wants];
    if (to[wants as "url"] === undefined) ctx.addIssue({ code: "custom", path: [wants], message: "is missing" });
    for (const field of Object.keys(to)) {
      if (!takes.includes(field)) {
        ctx.addIssue({ code: "custom", path: [field], message: `does not go with ${wants}` });
      }
    }
  });
export type Receiver = z.output<typeof receiver>;

export const webhookEvent = z.strictObject({
  type: z
    .string()
    .regex(/^[A-Za-z0-9_.:/-]{1,128}$/, "is a name such as order.paid: letters, digits, and . _ : / -")
    .describe("what happened, as in order.paid"),
  timestamp: z.iso.datetime({ offset: true }).optional().describe("when it happened; sent along where given"),
  data: z.unknown().refine((data) => data !== undefined, "is missing: any JSON"),
  endpoints: z.array(receiver).min(1).max(FANOUT_ENDPOINTS).describe(`1 to ${FANOUT_ENDPOINTS} receivers`),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(TIMEOUT_SECONDS.most)
    .default(TIMEOUT_SECONDS.usual)
    .describe("for one request, to the end of its answer"),
});
/** `dataText`: the data as it was written, which is what receivers get. */
export type Event = z.output<typeof webhookEvent> & { dataText: string };

export const eventOf = (event: z.output<typeof webhookEvent>, text: string): Event => ({
  ...event,
  dataText: memberText(text, "data") as string,
});

export const eventProblems = ({ endpoints }: z.output<typeof webhookEvent>, rules: OutboundRules): Problem[] =>
  endpoints.flatMap(({ url }, n) => {
    const message = url === undefined ? null : outboundProblem(url, rules);
    return message === null ? [] : [{ path: `endpoints.${n}.url`, message }];
  });

/** The event that job `fanoutId` holds: the jobs that go on with it carry its id, not a copy. */
export async function readEvent(store: Store, fanoutId: string): Promise<Event> {
  const text = await findPayload(store, fanoutId);
  const event = text === null ? null : webhookEvent.safeParse(JSON.parse(text));
  if (text === null || !event?.success) throw new PermanentError(`the event of job ${fanoutId} is stored no more`);
  return eventOf(event.data, text);
}
