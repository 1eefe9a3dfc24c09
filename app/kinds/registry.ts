import { alert } from "./alert";
import { bulk } from "./bulk";
import type { Kind } from "./define";
import { demo } from "./demo";
import { httpRequest } from "./http_request";
import { processFile } from "./process_file";
import { publishReport } from "./publish_report";
import { sendEmail } from "./send_email";
import { watchTelling } from "./watch/telling";
import { watchPage } from "./watch_page";
import { webhookPart } from "./webhook/part";
import { webhookDelivery } from "./webhook_delivery";
import { webhookFanout } from "./webhook_fanout";
import { welcomeEmail } from "./welcome_email";

export type Registry = ReadonlyMap<string, Kind>;

export const registryOf = (...kinds: Kind[]): Registry => new Map(kinds.map((kind) => [kind.name, kind]));

/** The kinds of this deployment: add yours here. */
export const registry: Registry = registryOf(
  demo,
  bulk,
  httpRequest,
  processFile,
  publishReport,
  sendEmail,
  welcomeEmail,
  webhookFanout,
  webhookPart,
  webhookDelivery,
  watchPage,
  watchTelling,
  alert,
);
