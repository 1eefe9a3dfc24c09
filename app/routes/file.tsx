import { data } from "react-router";
import { appContext } from "~/cloudflare";
import { DoneHere } from "~/components/activity/done_here";
import { FILE_WORDS } from "~/components/files/files_table";
import { ReadingFields } from "~/components/files/reading_fields";
import { JobsTable } from "~/components/jobs/jobs_table";
import { PostForm } from "~/components/post_form";
import { Allowed } from "~/components/rights";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { Time } from "~/components/time/time";
import { Button, LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { fileAddress } from "~/domain/files/files";
import { bytesText } from "~/domain/format";
import { token } from "~/domain/ids";
import { fileFeed } from "~/queries/files";
import { useFeed } from "~/queries/use_feed";
import { readFileRow } from "~/store/reads/files";
import type { Route } from "./+types/file";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.file.name ?? "No such file"} · Redrive` },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const file = await reading(app, "file", () => readFileRow(app.engine.store, params.id));
  if (!file) throw data({ reason: "no-such-file" }, { status: 404 });
  return { file, again: token(), readAt: Date.parse(file.now) };
}

export default function FilePage({ loaderData, params }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const live = useFeed(fileFeed(params.id), { body: loaderData.file, at: loaderData.readAt }, !preferences.refresh);
  const file = live.body;
  return (
    <>
      <div className="-mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <nav aria-label="Breadcrumb" className="text-sm">
          <TextLink to="/files">Files</TextLink>
        </nav>
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </div>
      <PageHeader
        title={<span className="wrap-anywhere">{file.name}</span>}
        lead={
          <>
            {file.size !== null && `${bytesText(file.size)} · `}
            {file.storedAt ? (
              <>
                uploaded <Time at={file.storedAt} />
              </>
            ) : (
              FILE_WORDS[file.state]
            )}{" "}
            · by {file.createdBy} · <DoneHere object={file.id} className="" />
          </>
        }
      >
        <LinkButton size="sm" variant="secondary-destructive" to={`${fileAddress(file.id)}/delete`}>
          Delete file
        </LinkButton>
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} gone="This file is stored no more" />
      <Card flush title="Jobs">
        {file.jobs.length > 0 ? (
          <JobsTable label="Jobs of this file" rows={file.jobs.map((job) => ({ job, left: false, read: job }))} />
        ) : (
          <p className="px-4 py-6 text-kumo-subtle">None has been submitted for it here.</p>
        )}
      </Card>
      {file.state === "stored" && (
        <Allowed send={`${fileAddress(file.id)}/process`}>
          <Card title="Process again">
            <PostForm action={`${fileAddress(file.id)}/process`} className="flex flex-col gap-5">
              <input type="hidden" name="again" value={loaderData.again} />
              <ReadingFields id="again" />
              <div>
                <Button type="submit">Process again</Button>
              </div>
            </PostForm>
          </Card>
        </Allowed>
      )}
    </>
  );
}
