import { idTime } from "~/domain/ids";
import type { Engine } from "./engine";
import { submitRequests } from "./submit";

/** An event for one saved endpoint, to see that it arrives. One form sends one, however often it is sent. */
export async function sendTest(engine: Engine, endpointId: string, form: string): Promise<string> {
  const [jobId] = (await submitRequests(engine, [
    {
      kind: "webhook_fanout",
      payload: { type: "ping", data: {}, endpoints: [{ id: endpointId }] },
      idempotencyKey: `test:${endpointId}:${idTime(form) === null ? engine.newId() : form}`,
      maxAttempts: 3,
    },
  ])) as [string];
  return jobId;
}
