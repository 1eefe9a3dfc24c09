import { jobAddress } from "~/domain/addresses";
import type { CauseDetail } from "~/domain/dead/dead";
import { count, shortId } from "~/domain/format";
import { Time } from "../time/time";
import { Card } from "../ui/card";
import { ScrollText } from "../ui/scroll_text";
import { TextLink } from "../ui/text_link";

/** The newest job that died of it, with all that its last attempt left. */
export const Example = ({ example }: { example: NonNullable<CauseDetail["example"]> }) => {
  const { id, kind, label, finishedAt, attempt } = example;
  const text = attempt?.stack ?? attempt?.error;
  return (
    <Card
      flush
      title="The newest of them"
      aside={
        <>
          died <Time at={finishedAt} />
        </>
      }
    >
      <p className="px-4 py-3 wrap-anywhere">
        <TextLink to={jobAddress(id)}>{label ?? `${kind} ${shortId(id)}`}</TextLink>{" "}
        <span className="text-sm text-kumo-subtle">
          {kind}
          {attempt && ` · attempt ${count(attempt.number)} · release ${attempt.appVersion}`}
        </span>
      </p>
      {text && (
        <ScrollText label="Stack" className="max-h-96 border-t border-kumo-hairline p-4 text-xs leading-5">
          {text}
        </ScrollText>
      )}
      {!attempt && <p className="px-4 pb-4 text-kumo-subtle">No attempt of it is recorded: its message died first.</p>}
    </Card>
  );
};
