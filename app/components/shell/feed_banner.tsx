import { clockText } from "~/domain/format";
import { Banner } from "../ui/banner";
import { TextLink } from "../ui/text_link";

/** Above what a failed poll leaves on screen: rows stay, and say how old they are. `status`: what the feed answered. */
export function FeedBanner({ failed, at, gone }: { failed: unknown; at: number; gone?: string }) {
  if (!failed) return null;
  const status = (failed as { status?: number }).status;
  if (status === 404 && gone) {
    return (
      <Banner role="status" tone="warning" title={gone}>
        It is shown as it was at {clockText(at)}.
      </Banner>
    );
  }
  if (status === 401) {
    return (
      <Banner role="status" tone="warning" title={`Signed out. Showing data from ${clockText(at)}`}>
        <TextLink to="." reloadDocument>
          Sign in again
        </TextLink>
      </Banner>
    );
  }
  return (
    <Banner role="status" tone="warning" title={`Showing data from ${clockText(at)}, retrying`}>
      {status === 503
        ? "The database does not answer."
        : status
          ? `The server answered ${status}.`
          : "The server does not answer."}
    </Banner>
  );
}
