import { z } from "zod";
import type { App } from "~/cloudflare";
import type { JobDetail } from "~/domain/feeds";
import { idTime } from "~/domain/ids";
import { jsonOf } from "~/domain/json_of";
import { NAME } from "~/domain/people/tokens";
import { type ProblemDocument, problem } from "~/domain/problem";
import type { Engine } from "~/lifecycle/engine";
import { handleApi } from "../api";
import { noteRefusal } from "../door/refuse";
import type { Answer, BindingProps, JobsService, NewJob, StoredJob } from "./types";

const PROPS = z.strictObject({ name: NAME, may: z.enum(["submit", "operate"]).default("submit") });
const ORIGIN = "https://binding.internal";

/**
 * The API as another Worker of the account calls it: the same calls, checks and answers as over HTTP, as values. The
 * binding is the permission, and its props say how far it goes.
 */
export function bindingOf(engine: Engine, given: unknown): JobsService {
  const props = PROPS.safeParse(given ?? {});
  const app = props.success ? appOf(engine, props.data) : null;

  async function call<T>(method: "GET" | "POST", path: string, value?: unknown): Promise<Answer<T>> {
    if (!app) return refused(MISCONFIGURED);
    const body = value === undefined ? null : jsonOf(value);
    if (body?.ok === false) return refused(notJson(body.message));
    const headers = body ? { "Content-Type": "application/json" } : undefined;
    const request = new Request(`${ORIGIN}/api/v1${path}`, { method, body: body?.text ?? null, headers });
    const response = await handleApi(request, app);
    const told = await response.json();
    return response.ok ? { ok: true, ...(told as T) } : refused(told as ProblemDocument);
  }

  async function operate<T>(id: string, verb: "cancel" | "requeue", value: object): Promise<Answer<T>> {
    const path = `${pathOf(id)}/${verb}`;
    if (!props.success || !app || props.data.may === "operate") return call("POST", path, value);
    const asked = { method: "POST", path: `/api/v1${path}`, needed: { role: "operator", payloads: false } } as const;
    await noteRefusal(engine, app.identity, "act", asked);
    return refused(problem(403, "not-allowed", `to ${verb} jobs the binding needs may = "operate" in its props`));
  }

  return {
    submit: ((jobs: NewJob | NewJob[]) => call("POST", "/jobs", jobs ?? null)) as JobsService["submit"],
    async job(id) {
      const answer = await call<JobDetail>("GET", pathOf(id));
      if (!answer.ok) return answer;
      const { ok, ...job } = answer;
      return { ok, job: job satisfies StoredJob };
    },
    cancel: (id, reason) => operate(id, "cancel", { reason }),
    requeue: (id, generation, reason) => operate(id, "requeue", { generation, reason }),
  };
}

const appOf = (engine: Engine, { name, may = "submit" }: BindingProps): App => ({
  engine,
  identity: { name: `worker:${name}`, how: "binding", role: may === "operate" ? "operator" : "viewer", payloads: true },
  local: false,
  adminToken: false,
  nonce: "",
});

/** What is no id is the path of no job, and never of anything else. */
const pathOf = (id: string): string => `/jobs/${idTime(id) === null ? "none" : id}`;

const refused = (document: ProblemDocument) => ({ ok: false, problem: document }) as const;
const notJson = (message: string) => problem(400, "malformed", message, { errors: [{ path: "", message }] });
const MISCONFIGURED = problem(
  403,
  "binding-without-name",
  'the props of the binding must be { name, may }: a name of its own, and "submit" or "operate"',
);
