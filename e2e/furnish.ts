import type { Api } from "./api.ts";

/** What the pages of a furnished site are about, beside its jobs. */
export type Furnished = {
  schedule: string;
  endpoint: string;
  watch: string;
  rule: string;
  token: string;
  mail: string;
  file: string;
  operation: string;
  /** The day of its report. */
  day: string;
};

const ORDERS = `order,customer,amount\n${Array.from({ length: 400 }, (_, n) => `${48_000 + n},c${n % 37},${n * 3}.50`).join("\n")}`;

/** Some of everything that there are pages for, made by the calls that make it anywhere else. */
export async function furnish(api: Api): Promise<Furnished> {
  const make = async (path: string, body?: object): Promise<{ id: string }> => {
    const response = await api.call("POST", path, body);
    const answer = (await response.json()) as { id: string };
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const mails = [
    ["anna@example.com", "Your order 48011 is on its way"],
    ["goran@example.com", "Reset your password"],
    ["fatima@example.com", "Invoice 2026-1187"],
  ].map(([to, subject]) => ({ kind: "send_email", payload: { to, subject, text: `Hello,\n\n${subject}.\n` } }));
  const sent = await api.submitAll(mails);

  const schedule = await make("/schedules", {
    name: "Nightly import",
    cron: "30 2 * * *",
    timeZone: "Europe/Berlin",
    kind: "demo",
    payload: { steps: 3 },
  });
  await make("/schedules", { name: "Weekly digest", cron: "0 8 * * MON", kind: "demo", payload: {} });
  await make("/schedules", { name: "Stock levels", everyMinutes: 15, kind: "demo", payload: {} });
  await make(`/schedules/${schedule.id}/run`);
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await make("/schedules/01900000-0000-7000-8000-000000000001/run");

  const endpoint = await make("/endpoints", { name: "Orders service", url: "https://hooks.example.com/orders" });
  const old = await make("/endpoints", { name: "Old warehouse", url: "https://warehouse.example.com/in" });
  await make(`/endpoints/${old.id}/disable`);
  const times = { cron: "0 8 * * *", timeZone: "Europe/Berlin" };
  const watch = await make("/watches", {
    name: "Price of the kettle",
    url: "https://shop.example.com/kettle",
    selector: ".price",
    compare: "number",
    ...times,
  });
  await make("/watches", { name: "Terms of the provider", url: "https://provider.example.com/terms", ...times });
  const rule = await make("/alert-rules", {
    name: "Mails die",
    condition: "cause",
    kind: "send_email",
    channels: { email: "oncall@example.com" },
  });

  const token = await make("/tokens", { name: "deploys", role: "operator", days: 90 });
  await make("/tokens", { name: "status page", role: "viewer", payloads: false });

  const file = await make("/files", {
    name: "orders.csv",
    size: ORDERS.length,
    format: "auto",
    delimiter: ",",
    strict: true,
  });
  const part = await fetch(`${api.url}/api/v1/files/${file.id}/parts/1`, {
    method: "PUT",
    body: ORDERS,
    headers: { ...api.headers, Origin: api.url, "Content-Type": "application/octet-stream" },
  });
  if (!part.ok) throw new Error(`a part: ${part.status} ${await part.text()}`);
  const { jobId } = (await make(`/files/${file.id}/complete`)) as unknown as { jobId: string };
  const [later] = await api.submitAll([{ kind: "demo", payload: {}, delaySeconds: 86_400, maxAttempts: 2 }]);
  const { operation } = (await make("/bulk", {
    action: "cancel",
    filter: { view: "scheduled", kind: "demo" },
    reason: "the import was done by hand",
  })) as unknown as { operation: { id: string } };
  for (const id of [...sent, jobId]) await api.until(id, "done");
  await api.until(later as string, "cancelled");

  const { mails: inbox } = (await (await api.call("GET", "/mail")).json()) as { mails: { id: number }[] };
  return {
    schedule: schedule.id,
    endpoint: endpoint.id,
    watch: watch.id,
    rule: rule.id,
    token: token.id,
    mail: String(inbox[0]?.id),
    file: file.id,
    operation: operation.id,
    day,
  };
}
