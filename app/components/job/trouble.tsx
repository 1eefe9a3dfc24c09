import { jobsAddress } from "~/domain/addresses";
import type { JobDetail } from "~/domain/feeds";
import { plural } from "~/domain/format";
import { adviceFor } from "~/domain/job/advice";
import { standingOf } from "~/domain/job/standing";
import { isFinal } from "~/domain/states";
import { useNow } from "../time/now";
import { SentenceText } from "../time/sentence";
import { TextLink } from "../ui/text_link";

/** What has passed changes the words: each second they are asked for anew, not oftener. */
const bySeconds = (nowMs: number): number => nowMs - (nowMs % 1_000);

/** The first thing to read: what went wrong, and what the job waits for. */
export function Trouble({ job, sameCause }: { job: JobDetail; sameCause: number | null }) {
  const standing = standingOf(job, useNow(bySeconds));
  const wrong = job.lastError !== null && job.state !== "done";
  // Until then it is tried again by itself.
  const advice = wrong && isFinal(job.state) ? adviceFor(job.lastError ?? "") : null;
  const bad = job.state === "dead" ? "border-l-kumo-danger" : "border-l-kumo-warning";
  const well = job.state === "done" ? "border-l-kumo-success" : "border-l-kumo-info";
  const look = wrong || job.held ? bad : well;
  return (
    <section
      aria-label="How it stands"
      className={`flex flex-col gap-2 rounded-lg border-l-4 bg-kumo-base px-4 py-3 shadow-xs ring ring-kumo-line ${look}`}
    >
      <p>
        <SentenceText sentence={standing} />
      </p>
      {wrong && (
        <>
          <h2 className="text-sm text-kumo-subtle">{job.state === "dead" ? "Died of" : "Last error"}</h2>
          <pre className="font-mono text-sm whitespace-pre-wrap text-kumo-danger wrap-anywhere">{job.lastError}</pre>
          {advice && <p className="text-sm">{advice}</p>}
        </>
      )}
      {job.state === "dead" && job.cause && sameCause !== null && sameCause > 1 && (
        <p className="text-sm text-kumo-subtle">
          <TextLink to={jobsAddress({ view: "dead", cause: job.cause })}>
            {plural(sameCause, "dead job")} of this cause
          </TextLink>
        </p>
      )}
    </section>
  );
}
