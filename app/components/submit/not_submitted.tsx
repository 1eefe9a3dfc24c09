import { jobAddress } from "~/domain/addresses";
import type { Problem } from "~/domain/submission";
import { Banner } from "../ui/banner";
import { TextLink } from "../ui/text_link";

type Props = {
  /** What is wrong and has no field of its own. */
  general: Problem[];
  state: { problems: Problem[]; holder: string | null; unknown: boolean } | undefined;
};

/** Why there is no job of it, and which job there is already. */
export const NotSubmitted = ({ general, state }: Props) => (
  <>
    {general.length > 0 && (
      <Banner
        role="alert"
        tone="danger"
        title={state?.unknown ? "It is not known whether this was submitted" : "Not submitted"}
      >
        {general.map(({ path, message }) => (
          <p key={path + message}>{path ? `${path}: ${message}` : message}</p>
        ))}
      </Banner>
    )}
    {state?.holder && (
      <Banner
        role="alert"
        tone="warning"
        title={
          state.problems.length > 0
            ? "The idempotency key is taken"
            : "This form was submitted before, with other values"
        }
      >
        <TextLink to={jobAddress(state.holder)}>Here is its job.</TextLink>{" "}
        {state.problems.length > 0
          ? "Take another key for another job."
          : "Submit again to make another one of what stands here now."}
      </Banner>
    )}
  </>
);
