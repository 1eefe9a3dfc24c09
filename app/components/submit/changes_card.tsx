import { jobAddress } from "~/domain/addresses";
import { shortId } from "~/domain/format";
import { TextLink } from "../ui/text_link";
import { Difference } from "../watches/difference";

/** What the new job has otherwise than the one it is made of. */
export const ChangesCard = ({ from, before, after }: { from: string; before: string; after: string }) => (
  <section
    aria-label="Changes"
    className="flex flex-col gap-2 rounded-lg bg-kumo-base px-4 py-3 shadow-xs ring ring-kumo-line"
  >
    <p>
      A new job, made of <TextLink to={jobAddress(from)}>{shortId(from)}</TextLink>, which stays as it is.{" "}
      {before === after
        ? "Its payload is the same: it runs one like this."
        : "Secrets that stay hidden go along unseen, while whoever gets them stays the same."}
    </p>
    {before !== after && (
      <div className="max-h-96 overflow-auto font-mono">
        <Difference before={before} after={after} />
      </div>
    )}
  </section>
);
