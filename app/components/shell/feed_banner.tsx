import { ClockTime } from "../time/zone";
import { Banner } from "../ui/banner";
import { TextLink } from "../ui/text_link";

/** Above what a failed poll leaves on screen: rows stay, and say how old they are. `status`: what the feed answered. */
export function FeedBanner({ failed, at, gone }: { failed: unknown; at: number; gone?: string }) {
  if (!failed) return null;
  const status = (failed as { status?: number }).status;
  if (status === 404 && gone) {
    return (
      <Banner role="status" tone="warning" title={gone}>
        It is shown as it was at <ClockTime ms={at} />.
      </Banner>
    );
  }
  if (status === 401) {
    return (
      <Banner
        role="status"
        tone="warning"
        title={
          <>
            Signed out. Showing data from <ClockTime ms={at} />
          </>
        }
      >
        <TextLink to="." reloadDocument>
          Sign in again
        </TextLink>
      </Banner>
    );
  }
  if (status === 403) {
    return (
      <Banner
        role="status"
        tone="warning"
        title={
          <>
            Not allowed any more. Showing data from <ClockTime ms={at} />
          </>
        }
      >
        Whoever runs this deployment has changed what you may see.
      </Banner>
    );
  }
  return (
    <Banner
      role="status"
      tone="warning"
      title={
        <>
          Showing data from <ClockTime ms={at} />, retrying
        </>
      }
    >
      {status === 503
        ? "The database does not answer."
        : status
          ? `The server answered ${status}.`
          : "The server does not answer."}
    </Banner>
  );
}
