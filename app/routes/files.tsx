import { ArrowRightIcon } from "@phosphor-icons/react/dist/ssr/ArrowRight";
import { data, redirect, useNavigate } from "react-router";
import { appContext } from "~/cloudflare";
import { FilesTable } from "~/components/files/files_table";
import { UploadForm } from "~/components/files/upload_form";
import { Allowed } from "~/components/rights";
import { FeedBanner } from "~/components/shell/feed_banner";
import { PageHeader } from "~/components/shell/page_header";
import { RefreshControl } from "~/components/shell/refresh_control";
import { LinkButton } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { jobAddress } from "~/domain/addresses";
import { filesAddress } from "~/domain/files/files";
import { idTime } from "~/domain/ids";
import { filesFeed } from "~/queries/files";
import { useFeed } from "~/queries/use_feed";
import { useUpload } from "~/queries/use_upload";
import { listFiles } from "~/store/reads/files";
import type { Route } from "./+types/files";
import { takeFile } from "./support/files.server";
import { useFrame } from "./support/frame";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = () => [{ title: "Files · Redrive" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const asked = new URL(request.url).searchParams.get("before");
  const before = asked && idTime(asked) !== null ? asked : null;
  const page = await reading(app, "files", () => listFiles(app.engine.store, before));
  return { page, before, readAt: Date.parse(page.now) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const taken = await takeFile(request, context.get(appContext));
  if ("jobId" in taken) return redirect(jobAddress(taken.jobId), { status: 303, headers: taken.headers });
  return data({ wrong: taken.wrong }, { status: taken.status });
}

export default function Files({ loaderData: { page, before, readAt }, actionData }: Route.ComponentProps) {
  const { preferences } = useFrame();
  const navigate = useNavigate();
  const live = useFeed(filesFeed(before), { body: page, at: readAt }, !preferences.refresh);
  const upload = useUpload((jobId) => void navigate(jobAddress(jobId)));
  const { files, next } = live.body;
  return (
    <>
      <PageHeader
        title="Files"
        lead="Each is streamed through once: what it is, what is in it, and the same as NDJSON."
      >
        <RefreshControl at={live.at} on={preferences.refresh} failed={live.failed !== null} onRefresh={live.refetch} />
      </PageHeader>
      <FeedBanner failed={live.failed} at={live.at} />
      {before === null && (
        <Allowed send={"/files"}>
          <UploadForm
            state={upload.state}
            wrong={actionData?.wrong ?? null}
            onStart={(file, how) => void upload.start(file, how)}
            onFail={upload.fail}
            onCancel={upload.cancel}
          />
        </Allowed>
      )}
      <Card flush title="Uploaded">
        {files.length > 0 ? <FilesTable files={files} /> : <None older={before !== null} />}
      </Card>
      {(before !== null || next !== null) && (
        <nav aria-label="Pages" className="flex items-center justify-between gap-2">
          {before !== null ? (
            <LinkButton size="sm" to={filesAddress()}>
              Newest
            </LinkButton>
          ) : (
            <span />
          )}
          {next !== null && (
            <LinkButton size="sm" to={filesAddress(next)} rel="next">
              Older
              <ArrowRightIcon aria-hidden="true" />
            </LinkButton>
          )}
        </nav>
      )}
    </>
  );
}

const None = ({ older }: { older: boolean }) => (
  <p className="px-4 py-10 text-kumo-subtle sm:text-center">
    {older ? "No older files." : "No file has been uploaded yet."}
  </p>
);
