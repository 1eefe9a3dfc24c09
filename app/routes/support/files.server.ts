import { data, redirect } from "react-router";
import type { App } from "~/cloudflare";
import { jobAddress } from "~/domain/addresses";
import { fullDayText } from "~/domain/day";
import { FORM_BYTES } from "~/domain/files/files";
import { bytesText } from "~/domain/format";
import { noticeCookie } from "~/domain/notices";
import { isBucketTrouble } from "~/domain/trouble";
import type { Processing } from "~/lifecycle/files/complete";
import { receiveForm } from "~/lifecycle/files/form";
import { isUnreachable } from "~/store/errors";

type Taken = { jobId: string; headers: Record<string, string> } | { wrong: string; status: number };

/** The file of a form that was sent without a script. */
export async function takeFile(request: Request, app: App): Promise<Taken> {
  try {
    const received = await receiveForm(app.engine, request, app.identity.name);
    switch (received.kind) {
      case "submitted":
      case "full":
        return told(received);
      case "refused":
        return { wrong: received.problems.map(({ path, message }) => `${path} ${message}`).join("; "), status: 400 };
      case "too-large":
        return { wrong: `Without a script at most ${bytesText(FORM_BYTES)} are taken in one go.`, status: 413 };
      case "malformed":
        return { wrong: "The file did not arrive whole.", status: 400 };
      case "no-file":
        return { wrong: "Choose a file first.", status: 400 };
      case "no-bucket":
        return { wrong: "This deployment has no bucket for files: bind one as FILES.", status: 503 };
    }
  } catch (error) {
    const bucket = isBucketTrouble(error);
    if (!bucket && !isUnreachable(error)) throw error;
    const event = bucket ? "files.unreachable" : "database.unreachable";
    app.engine.events({ event, step: "upload form", error: String(error) });
    return { wrong: "The database or the bucket did not answer: upload it again.", status: 503 };
  }
}

function told(done: Processing): Taken {
  if (done.kind === "full") return { wrong: `It is stored, but not processed: ${fullDayText(done)}`, status: 429 };
  const { jobId, replayed } = done;
  const code = replayed ? "submitted-before" : "submitted";
  return { jobId, headers: { "Set-Cookie": noticeCookie({ code, jobId }) } };
}

/** Goes on to the job, or says why there is none. */
export function toJob(done: Processing) {
  const taken = told(done);
  if ("wrong" in taken) throw data({ reason: "day-is-full" }, { status: taken.status });
  return redirect(jobAddress(taken.jobId), { status: 303, headers: taken.headers });
}
