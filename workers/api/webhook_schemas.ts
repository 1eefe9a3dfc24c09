import { z } from "@hono/zod-openapi";
import {
  DELIVERY_VIEWS,
  type DeliveryRow,
  type DeliveryView,
  ENDPOINT_TYPES,
  type EndpointDetail,
  type EndpointList,
  type Fanout,
} from "~/domain/webhooks/webhooks";
import { at, count, text, time } from "./schema_words";

/** The shapes of app/domain/webhooks/webhooks.ts once more, for the document. */
const delivery = z
  .object({
    fanoutId: text.openapi({ description: "the job that holds the event" }),
    n: count.openapi({ description: "place in the event's list of endpoints, from 0" }),
    webhookId: text.openapi({ description: "sent with every try; POST /deliveries/{id}/resend takes it" }),
    endpointId: text.nullable().openapi({ description: "of a saved endpoint" }),
    type: z.enum(ENDPOINT_TYPES),
    target: text.openapi({ description: "the address without what gives access" }),
    status: z.enum(Object.keys(DELIVERY_VIEWS) as [DeliveryView, ...DeliveryView[]]),
    attempts: count,
    httpStatus: count.nullable().openapi({ description: "of the last answer" }),
    durationMs: count.nullable(),
    signed: z.boolean(),
    at: time.nullable().openapi({ description: "end of the last try" }),
    nextAt: time.nullable().openapi({ description: "start of the next try" }),
    jobId: text.nullable().openapi({ description: "the job that goes on with it" }),
    error: text.nullable(),
    answer: text.nullable().openapi({ description: "the beginning of the last answer" }),
  })
  .openapi("Delivery") satisfies z.ZodType<DeliveryRow>;

const endpoint = {
  id: text,
  name: text,
  type: z.enum(ENDPOINT_TYPES),
  target: text.openapi({ description: "the address without what gives access" }),
  headers: z.array(text).openapi({ description: "names of the custom headers: what they hold is not shown" }),
  signed: z.boolean(),
  rotatingUntil: time
    .nullable()
    .openapi({ description: "until then the secret before the last rotation signs as well" }),
  createdAt: time,
  disabledAt: time.nullable(),
  disabledReason: text.nullable(),
};
export const endpointList = z
  .object({ ...at, endpoints: z.array(z.object(endpoint).openapi("EndpointRow")) })
  .openapi("EndpointList") satisfies z.ZodType<EndpointList>;
export const endpointDetail = z
  .object({
    ...at,
    ...endpoint,
    deliveries: z
      .array(delivery.extend({ event: text.nullable().openapi({ description: "how its job is labelled" }) }))
      .openapi({ description: "newest first, at most 50" }),
  })
  .openapi("EndpointDetail") satisfies z.ZodType<EndpointDetail>;

export const fanout = z
  .object({
    overall: z.enum(["delivering", "delivered", "partly failed", "failed", "skipped"]),
    counts: z.object({ delivered: count, retrying: count, failed: count, skipped: count, waiting: count }),
    deliveries: z.array(delivery),
  })
  .openapi("Fanout") satisfies z.ZodType<Fanout>;

export const savedEndpoint = z
  .object({
    id: text,
    secret: text.nullable().openapi({ description: "shown here, and never again; null where nothing is signed" }),
  })
  .openapi("SavedEndpoint");
export const changedEndpoint = z
  .object({ id: text, changed: z.boolean().openapi({ description: "false: it stood so before" }) })
  .openapi("ChangedEndpoint");
export const rotatedSecret = z
  .object({ id: text, secret: text.openapi({ description: "shown here, and never again" }) })
  .openapi("RotatedSecret");
export const resent = z.object({ jobId: text }).openapi("Resent");
