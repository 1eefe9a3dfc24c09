import { data, redirect } from "react-router";
import { appContext } from "~/cloudflare";
import { PostForm } from "~/components/post_form";
import { PageHeader } from "~/components/shell/page_header";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { fileAddress } from "~/domain/files/files";
import { removeFile } from "~/lifecycle/files/remove";
import { readFile } from "~/store/files";
import type { Route } from "./+types/file_delete";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Delete file · Redrive" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const file = await reading(app, "file", () => readFile(app.engine.store, params.id));
  if (!file) throw data({ reason: "no-such-file" }, { status: 404 });
  return { name: file.name };
}

export async function action({ params: { id }, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  await reading(app, "delete file", () => removeFile(app.engine, id, app.identity.name));
  throw redirect("/files", { status: 303 });
}

export default function Delete({ loaderData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Delete ${loaderData.name}?`} />
      <Card>
        <PostForm className="flex flex-col items-start gap-4">
          <p>
            It is gone from the bucket, with the NDJSON that was made of it. Its jobs stay with what they found; one
            that has still to read it dies.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="secondary-destructive">
              Delete file
            </Button>
            <LinkButton to={fileAddress(params.id)}>Keep it</LinkButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}
