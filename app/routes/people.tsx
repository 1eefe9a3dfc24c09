import { data, redirect } from "react-router";
import { appContext, askerOf } from "~/cloudflare";
import { PeopleTable } from "~/components/people/people_table";
import { RightsFields } from "~/components/people/rights_fields";
import { RolesCard } from "~/components/people/roles_card";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Banner } from "~/components/ui/banner";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field, INPUT } from "~/components/ui/field";
import { TextLink } from "~/components/ui/text_link";
import { PEOPLE_ADDRESS, PERSON, REFUSED_CHANGES, RIGHTS } from "~/domain/people/people";
import { ALL_RIGHTS, LEAST_RIGHTS } from "~/domain/people/roles";
import { problemsOf } from "~/domain/submission";
import { setPerson } from "~/lifecycle/people/people";
import { listPeople } from "~/store/people/people";
import type { Route } from "./+types/people";
import { formOf } from "./support/answer.server";
import { reading } from "./support/read.server";
import { rightsIn } from "./support/rights_form.server";

export const meta: Route.MetaFunction = () => [{ title: "People · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const why = new URL(request.url).searchParams.get("why") ?? "";
  return {
    ...(await reading(app, "people", () => listPeople(app.engine.store))),
    me: app.identity.how === "access" ? app.identity.name : "",
    why: Object.hasOwn(REFUSED_CHANGES, why) ? REFUSED_CHANGES[why as keyof typeof REFUSED_CHANGES] : null,
  };
}

/** Somebody, or with `others` whoever is not listed. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await formOf(request);
  const typed = { name: String(form.get("name") ?? ""), ...rightsIn(form) };
  const rights = RIGHTS.safeParse(rightsIn(form));
  const name = form.has("others") ? { success: true as const, data: "" } : PERSON.safeParse(typed.name);
  if (!name.success || !rights.success) {
    const problems = [name, rights].flatMap((one) => (one.success ? [] : problemsOf(one.error)));
    return data({ typed, problems }, { status: 400 });
  }
  const { role, payloads } = rights.data;
  const by = { actor: app.identity.name };
  const done = await reading(app, "people", () =>
    setPerson(app.engine, name.data, { role, payloads }, askerOf(app), by),
  );
  if (done === "changed") return redirect(PEOPLE_ADDRESS, 303);
  return data({ typed, problems: [{ path: "", message: REFUSED_CHANGES[done] }] }, { status: 409 });
}

export default function People({ loaderData, actionData }: Route.ComponentProps) {
  const { others, people, me, why } = loaderData;
  const typed = actionData && "typed" in actionData ? actionData.typed : null;
  const errors = actionData && "problems" in actionData ? actionData.problems.map(({ message }) => message) : [];
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to="/settings">Settings</TextLink>
      </nav>
      <PageHeader title="People" lead="What those may do who come in through Cloudflare Access." />
      {why && <Banner role="alert" tone="danger" title={`Nothing was changed: ${why}`} />}
      {others === null && (
        <Banner tone="warning" title="Everybody who comes in through Access is an admin">
          So it stays until the first admin is listed here. From then on whoever is not listed is a viewer who does not
          see payloads, or what you say below.
        </Banner>
      )}
      <Card flush title="Listed">
        {people.length > 0 ? (
          <PeopleTable people={people} />
        ) : (
          <p className="px-4 py-6 text-kumo-subtle">Nobody is listed.</p>
        )}
      </Card>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Say what somebody may do">
          <PostForm key={people.length} className="flex flex-col gap-5">
            <Field
              id="name"
              label="E-mail"
              hint="As Access tells it; of a service token its client id. Somebody who is listed already is changed."
              errors={errors}
            >
              {(ids) => (
                <input
                  {...ids}
                  name="name"
                  required
                  maxLength={256}
                  autoComplete="off"
                  defaultValue={typed?.name ?? (others === null ? me : "")}
                  className={INPUT}
                />
              )}
            </Field>
            <RightsFields id="person" rights={typed ?? (others === null ? ALL_RIGHTS : LEAST_RIGHTS)} />
            <div>
              <Button type="submit" variant="primary">
                Save
              </Button>
            </div>
          </PostForm>
        </Card>
        {others && (
          <Card title="Whoever is not listed">
            <PostForm key={`${others.role} ${others.payloads}`} className="flex flex-col gap-5">
              <input type="hidden" name="others" value="" />
              <RightsFields id="others" rights={others} />
              <div>
                <Button type="submit">Save for all others</Button>
              </div>
            </PostForm>
          </Card>
        )}
      </div>
      <RolesCard />
    </>
  );
}
