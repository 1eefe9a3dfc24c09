import { data } from "react-router";
import { type App, readerOf } from "~/cloudflare";
import { fieldsInAddress, submitAddress } from "~/domain/form/address";
import type { FormFields } from "~/domain/form/call";
import { type Draft, draftOf } from "~/domain/form/draft";
import type { Spec } from "~/domain/form/spec";
import { token } from "~/domain/ids";
import { prettyJson } from "~/domain/job/pretty";
import { SHORT_TIMEOUT_MS } from "~/domain/limits";
import type { Kind } from "~/kinds/define";
import { listFiles } from "~/store/reads/files";
import { readJob } from "~/store/reads/job";
import { specFor } from "./form_spec.server";
import { isFormId, mayMakeAnother } from "./form_state.server";
import { reading } from "./read.server";

/** What a submit form begins with: by its address, else by the job it is made of, else by an example. */
export async function readForm(app: App, url: URL) {
  const { engine, local } = app;
  const { searchParams: asked } = url;
  const kinds = [...engine.kinds.values()].filter(({ internal }) => !internal);
  const source = await sourceOf(app, asked.get("from"));
  const kind = engine.kinds.get(source?.kind ?? asked.get("kind") ?? "") ?? kinds[0];
  if (!kind) throw new Error("this release has no kinds");
  const form = asked.get("form");
  if (!isFormId(form)) return { elsewhere: elsewhere(asked, source?.kind ?? kind.name) };

  const examples = kind.examples?.length ? kind.examples : [{ title: "Empty", payload: {} }];
  const example = Math.min(Number(asked.get("example")) || 0, examples.length - 1);
  const usual = { ...EMPTY, kind: kind.name, payload: prettyJson(JSON.stringify(examples[example]?.payload ?? {})) };
  const fields = fieldsInAddress(asked, source ? { ...usual, ...source.fields } : usual);
  const spec = specFor(kind);
  return {
    form,
    origin: url.origin,
    local,
    kinds: kinds.map(({ name, title, description }) => ({ name, title, description })),
    kind: factsOf(kind),
    examples: source ? [] : examples.map(({ title }) => title),
    example,
    source: source && { id: source.id, payload: source.fields.payload },
    spec,
    fields,
    draft: asked.get("as") === "json" ? null : (draftOf(spec, fields.payload) satisfies Draft | null),
    files: await filesFor(app, spec),
  };
}

const factsOf = ({ name, retry, timeoutMs, secrets = [] }: Kind) => ({
  name,
  maxAttempts: retry.maxAttempts,
  alwaysLong: timeoutMs > SHORT_TIMEOUT_MS,
  secrets,
});

function elsewhere(asked: URLSearchParams, kind: string): string {
  const params = new URLSearchParams(asked);
  params.set("kind", kind);
  params.set("form", token());
  return asked.size === 0 ? submitAddress({ kind, form: token() }) : `/submit?${params}`;
}

/** The job that another one is to be made of, as it may be shown. */
async function sourceOf(app: App, id: string | null) {
  if (!id) return null;
  const { store, kinds } = app.engine;
  mayMakeAnother(app);
  const job = await reading(app, "submit", () => readJob(store, id, readerOf(app)));
  if (!job) throw data({ reason: "no-such-job" }, { status: 404 });
  if (!canBeMade(kinds.get(job.kind))) throw data({ reason: "no-such-job" }, { status: 404 });
  const fields: Pick<FormFields, "payload" | "priority" | "maxAttempts" | "groupKey"> = {
    payload: prettyJson(job.payloadText),
    priority: job.lane === "high" ? "high" : "normal",
    maxAttempts: String(job.maxAttempts),
    groupKey: job.groupKey ?? "",
  };
  return { id, kind: job.kind, fields };
}

/** By a person: some kinds are submitted by the code of this deployment only, others are not known to it any more. */
export const canBeMade = (kind: Kind | undefined): boolean => kind !== undefined && !kind.internal;

const FILES = 50;

async function filesFor(app: App, spec: Spec): Promise<{ id: string; name: string }[]> {
  if (!spec.fields?.some(([, { draws }]) => draws === "file")) return [];
  const { files } = await reading(app, "submit", () => listFiles(app.engine.store, null, FILES));
  return files.map(({ id, name }) => ({ id, name }));
}

const EMPTY: FormFields = {
  kind: "",
  payload: "",
  delaySeconds: "",
  runAt: "",
  priority: "normal",
  maxAttempts: "",
  expiresAt: "",
  groupKey: "",
  idempotencyKey: "",
};
