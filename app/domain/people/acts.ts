import type { Role } from "./roles";

/** `by`: addresses of pages and calls that do it, after a method where only that one does. */
export type Act = { does: string; role: Role; payloads?: true; by: readonly string[] };

const API = "/api/v1";
const posts = (at: string, ...verbs: string[]) => verbs.map((verb) => `POST ${API}${at}/:id/${verb}`);
const pages = (at: string, ...verbs: string[]) => verbs.map((verb) => `${at}/:id/${verb}`);

/**
 * Everything that not everybody may do who came in. Reading is for all but where it is named here; a write that is not
 * named is for admins, so one that somebody forgets is closed. Door, buttons, menus, refusals and documentation go by this.
 */
export const ACTS = {
  prefer: { does: "choose how pages look", role: "viewer", by: ["/preferences"] },
  see: {
    does: "see payloads, mails and files",
    role: "viewer",
    payloads: true,
    by: ["/jobs/:id/payload", "/mail/:id", "/mail/:id/html", "/files/:id/derived/:job"],
  },
  submit: {
    does: "submit jobs",
    role: "operator",
    by: ["/submit", "/examples/signup", `POST ${API}/jobs`, `POST ${API}/examples/signup`],
  },
  act: {
    does: "requeue and cancel jobs",
    role: "operator",
    by: [...pages("/jobs", "requeue", "cancel"), ...posts("/jobs", "requeue", "cancel")],
  },
  bulk: {
    does: "change many jobs at once",
    role: "operator",
    by: ["/bulk", "/bulk/send", "/operations/:id/abort", `POST ${API}/bulk`, ...posts("/operations", "abort", "again")],
  },
  kinds: {
    does: "pause and limit kinds",
    role: "operator",
    by: [...pages("/kinds", "pause", "resume", "limits"), ...posts("/kinds", "pause", "resume", "limits")],
  },
  letters: {
    does: "send dead letters again",
    role: "operator",
    by: [
      "/dead/letters/replay",
      "/dead/letters/replaying",
      `POST ${API}/dead-letters/replay`,
      `POST ${API}/dead-letters/replaying`,
    ],
  },
  files: {
    does: "upload and remove files",
    role: "operator",
    by: [
      "POST /files",
      ...pages("/files", "process", "delete"),
      `POST ${API}/files`,
      `PUT ${API}/files/:id/parts/:number`,
      ...posts("/files", "complete", "delete"),
    ],
  },
  schedules: {
    does: "make, pause, run and delete schedules",
    role: "operator",
    by: [
      "/schedules/new",
      "/schedules/preview",
      ...pages("/schedules", "pause", "resume", "run", "delete"),
      `POST ${API}/schedules`,
      ...posts("/schedules", "pause", "resume", "run", "delete"),
    ],
  },
  /** Its form shows the payload that is sent back. */
  editSchedule: {
    does: "edit schedules",
    role: "operator",
    payloads: true,
    by: ["/schedules/:id/edit", `PUT ${API}/schedules/:id`],
  },
  watches: {
    does: "check and pause watches",
    role: "operator",
    by: [...pages("/watches", "check", "pause", "resume"), ...posts("/watches", "check", "pause", "resume")],
  },
  alerts: {
    does: "switch and test alert rules",
    role: "operator",
    by: [...pages("/alerts", "enable", "disable", "test"), ...posts("/alert-rules", "enable", "disable", "test")],
  },
  deliveries: {
    does: "switch and test endpoints, and resend",
    role: "operator",
    by: [
      ...pages("/endpoints", "enable", "disable", "test"),
      ...posts("/endpoints", "enable", "disable"),
      "/deliveries/:id/resend",
      ...posts("/deliveries", "resend"),
    ],
  },
  editWatch: {
    does: "make, edit and delete watches",
    role: "admin",
    by: [
      "/watches/new",
      ...pages("/watches", "edit", "delete"),
      `POST ${API}/watches`,
      `PUT ${API}/watches/:id`,
      ...posts("/watches", "delete"),
    ],
  },
  editAlert: {
    does: "make, edit and delete alert rules",
    role: "admin",
    by: [
      "/alerts/new",
      "/alerts/:id",
      "/alerts/:id/delete",
      `POST ${API}/alert-rules`,
      `PUT ${API}/alert-rules/:id`,
      ...posts("/alert-rules", "delete"),
    ],
  },
  editEndpoint: {
    does: "make and delete endpoints, and change their secrets",
    role: "admin",
    by: [
      "/endpoints/new",
      ...pages("/endpoints", "rotate", "delete"),
      `POST ${API}/endpoints`,
      ...posts("/endpoints", "rotate", "delete"),
    ],
  },
  people: {
    does: "say who may do what",
    role: "admin",
    by: [
      "/settings/people",
      "/settings/people/:id/remove",
      `${API}/people`,
      `${API}/people/:id`,
      `${API}/people/:id/remove`,
      `${API}/default-role`,
    ],
  },
  tokens: {
    does: "make and revoke API tokens",
    role: "admin",
    by: ["/settings/tokens", "/settings/tokens/:id/revoke", `${API}/tokens`, `${API}/tokens/:id/revoke`],
  },
  settings: {
    does: "change settings",
    role: "admin",
    by: ["POST /settings", "/settings/limit", `PUT ${API}/retention`, `POST ${API}/submitters/:id`],
  },
} as const satisfies Record<string, Act>;

export type ActName = keyof typeof ACTS;

/** What a role may do beyond the one before it, in words. */
export const doesOf = (role: Role): string[] =>
  Object.values(ACTS).flatMap((act: Act) =>
    act.role === role && !(role === "viewer" && act.payloads) ? [act.does] : [],
  );
