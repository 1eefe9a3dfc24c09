import { data } from "react-router";
import { appContext } from "~/cloudflare";
import { RightsFields } from "~/components/people/rights_fields";
import { RolesCard } from "~/components/people/roles_card";
import { TokensTable } from "~/components/people/tokens_table";
import { PostForm, useSending } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field, INPUT, SELECT } from "~/components/ui/field";
import { TextLink } from "~/components/ui/text_link";
import { SecretOnce } from "~/components/webhooks/secret_once";
import { idTime } from "~/domain/ids";
import { LEAST_RIGHTS } from "~/domain/people/roles";
import { isApiToken, NEW_TOKEN, newApiToken } from "~/domain/people/tokens";
import { problemsOf } from "~/domain/submission";
import { makeToken } from "~/lifecycle/people/tokens";
import { listTokens } from "~/store/people/tokens";
import type { Route } from "./+types/tokens";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";
import { Refused } from "./support/refused";
import { rightsIn } from "./support/rights_form.server";

export const meta: Route.MetaFunction = () => [{ title: "API tokens · Redrive" }];

/**
 * The form brings the token along that it makes, and its id: sent twice, or again after a lost answer, it makes one and shows the
 * same; sent again after that was revoked, it makes none.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const tokens = await reading(app, "tokens", () => listTokens(app.engine.store));
  return { tokens, id: app.engine.newId(), made: newApiToken() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const days = String(form.get("days") ?? "");
  const typed = { name: String(form.get("name") ?? ""), days, ...rightsIn(form) };
  const asked = NEW_TOKEN.safeParse({ ...typed, days: days === "" ? null : Number(days) });
  if (!asked.success) return data({ typed, problems: problemsOf(asked.error), token: null }, { status: 400 });
  const [id, made] = [String(form.get("id") ?? ""), String(form.get("made") ?? "")];
  const brought = idTime(id) !== null && isApiToken(made) ? ([made, id] as const) : [];
  const by = { actor: app.identity.name };
  const done = await reading(app, "tokens", () => makeToken(app.engine, asked.data, by, ...brought));
  if (done.kind === "rejected") return data({ typed, problems: done.problems, token: null }, { status: 400 });
  return { typed: null, problems: [], token: done.token };
}

const DAYS = [
  ["", "Until it is revoked"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
] as const;

export default function Tokens({ loaderData, actionData }: Route.ComponentProps) {
  const { tokens, id, made } = loaderData;
  const busy = useSending();
  const typed = actionData?.typed;
  const errors = (actionData?.problems ?? []).flatMap(({ path, message }) => (path === "name" ? [message] : []));
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/settings">Settings</TextLink>
      </nav>
      <PageHeader
        title="API tokens"
        lead="For programs, which send them with each call, and for people, who sign in with one."
      />
      {actionData?.token && (
        <SecretOnce title="Made. This is the token" secret={actionData.token}>
          Keep it where you keep secrets: it is not shown again, and only its digest is stored.
        </SecretOnce>
      )}
      <Refused problems={actionData?.problems ?? []} />
      <Card flush title="In force">
        {tokens.length > 0 ? (
          <TokensTable tokens={tokens} />
        ) : (
          <p className="px-4 py-6 text-kumo-subtle">No token has been made yet.</p>
        )}
      </Card>
      <Card title="Make a token">
        <PostForm key={made} className="flex max-w-xl flex-col gap-5">
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="made" value={made} />
          <Field id="name" label="Name" hint="Stands for whoever uses it, in the audit too." errors={errors}>
            {(ids) => (
              <input
                {...ids}
                name="name"
                required
                maxLength={60}
                autoComplete="off"
                defaultValue={typed?.name ?? ""}
                className={INPUT}
              />
            )}
          </Field>
          <RightsFields id="token" rights={typed ?? LEAST_RIGHTS} />
          <Field id="days" label="Holds">
            {(ids) => (
              <select {...ids} name="days" defaultValue={typed?.days ?? "90"} className={SELECT}>
                {DAYS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <div>
            <Button type="submit" variant="primary" aria-disabled={busy}>
              Make token
            </Button>
          </div>
        </PostForm>
      </Card>
      <RolesCard />
    </>
  );
}
