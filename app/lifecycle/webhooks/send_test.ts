import { idTime } from "~/domain/ids";
import type { By } from "~/store/reopen";
import { readAddressees } from "~/store/webhooks/endpoints";
import type { Engine } from "../engine";
import { submitRequests } from "../submit";
import { insist } from "../trouble/insist";

/** An event for one saved endpoint, to see that it arrives: its job, or null where none is saved. One form sends one. */
export async function sendTest(engine: Engine, endpointId: string, form: string, by: By): Promise<string | null> {
  const saved = await insist(engine, "read endpoint", () => readAddressees(engine.store, [endpointId]));
  if (!saved.has(endpointId)) return null;
  const event = {
    kind: "webhook_fanout",
    payload: { type: "ping", data: {}, endpoints: [{ id: endpointId }] },
    idempotencyKey: `test:${endpointId}:${idTime(form) === null ? engine.newId() : form}`,
    maxAttempts: 3,
  };
  const deed = { ...by, action: "endpoint.test" as const, after: { endpoint: endpointId } };
  const [jobId] = (await submitRequests(engine, [event], deed)) as [string];
  return jobId;
}
