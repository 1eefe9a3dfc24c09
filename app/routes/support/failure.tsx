import { isRouteErrorResponse, useLocation } from "react-router";
import { ErrorPage } from "~/components/shell/error_page";
import { LinkButton } from "~/components/ui/button";
import { Unreachable } from "./unreachable";

/** What stands in for a page that cannot be shown. */
export function Failure({ error }: { error: unknown }) {
  const reason = isRouteErrorResponse(error)
    ? ((error.data as { reason?: string } | null)?.reason ?? error.status)
    : null;
  switch (reason) {
    case "daily-limit":
      return (
        <ErrorPage title="The daily limit is reached" actions={<LinkButton to="/">Overview</LinkButton>}>
          <p>
            This account's free plan has used up its share of the database for today. It answers again after 00:00 UTC.
            Nothing is lost: accepted jobs are stored, and go on then.
          </p>
        </ErrorPage>
      );
    case "files-unreachable":
      return (
        <ErrorPage title="The files do not answer" actions={<LinkButton to="/files">All files</LinkButton>}>
          <p>
            The bucket that holds them is out of reach at the moment; everything else works. Try again a little later.
          </p>
        </ErrorPage>
      );
    case "database-unreachable":
    case 503:
      return <Unreachable />;
    case 401:
      return <SignedOut />;
    case "payloads-hidden":
    case 403:
      return (
        <ErrorPage title="You may not do this" actions={<LinkButton to="/">Overview</LinkButton>}>
          <p>
            Nothing was changed. It takes a role, or the right to see payloads, that you do not have, or have no more;
            an admin can give it to you.
          </p>
        </ErrorPage>
      );
    case "no-such-job":
      return (
        <ErrorPage title="No such job" actions={<LinkButton to="/jobs">All jobs</LinkButton>}>
          <p>No job with this id is stored. It may have been removed after its time, or the link is cut short.</p>
        </ErrorPage>
      );
    case "job-expired":
      return (
        <ErrorPage title="This job is stored no more" actions={<LinkButton to="/jobs">All jobs</LinkButton>}>
          <p>{(error as { data: { text: string } }).data.text}</p>
        </ErrorPage>
      );
    case "no-such-cause":
      return (
        <ErrorPage title="No such cause" actions={<LinkButton to="/dead">Dead jobs</LinkButton>}>
          <p>No job has died of this, or it is so long ago that nothing is kept of it.</p>
        </ErrorPage>
      );
    case "no-such-mail":
      return (
        <ErrorPage title="No such mail" actions={<LinkButton to="/mail">All mails</LinkButton>}>
          <p>No mail with this number is kept: the mailbox holds the last 1,000.</p>
        </ErrorPage>
      );
    case "no-such-endpoint":
      return (
        <ErrorPage title="No such endpoint" actions={<LinkButton to="/endpoints">All endpoints</LinkButton>}>
          <p>No endpoint with this id is saved. It may have been removed.</p>
        </ErrorPage>
      );
    case "no-such-file":
      return (
        <ErrorPage title="No such file" actions={<LinkButton to="/files">All files</LinkButton>}>
          <p>No file with this id is stored. It may have been deleted.</p>
        </ErrorPage>
      );
    case "day-is-full":
      return (
        <ErrorPage title="Not submitted" actions={<LinkButton to="/settings">Limits</LinkButton>}>
          <p>You have submitted as many jobs today as your limit allows. The day ends at midnight UTC.</p>
        </ErrorPage>
      );
    case "no-such-operation":
      return (
        <ErrorPage title="No such operation" actions={<LinkButton to="/operations">All operations</LinkButton>}>
          <p>No bulk operation with this id is stored.</p>
        </ErrorPage>
      );
    case "bulk-refused":
      return (
        <ErrorPage title="Nothing was changed" actions={<LinkButton to="/jobs">All jobs</LinkButton>}>
          <p>
            What was asked for cannot be done with these jobs, or they are too many at once: go back and choose others.
          </p>
        </ErrorPage>
      );
    case "too-many-to-count":
      return (
        <ErrorPage title="Too many to count" actions={<LinkButton to="/jobs">All jobs</LinkButton>}>
          <p>
            More jobs would have to be looked at than one question may, to count those that match. Nothing was changed.
            Name a kind, a cause, or a shorter time of submission or end.
          </p>
        </ErrorPage>
      );
    case "form-too-large":
      return (
        <ErrorPage title="Too much in one form" actions={<LinkButton to="/">Overview</LinkButton>}>
          <p>
            The form holds more than is taken in one go, so nothing was done. Go back, shorten what it holds, and send
            it again.
          </p>
        </ErrorPage>
      );
    case "no-such-schedule":
      return (
        <ErrorPage title="No such schedule" actions={<LinkButton to="/schedules">All schedules</LinkButton>}>
          <p>No schedule with this id is stored. It may have been deleted; its jobs are still there.</p>
        </ErrorPage>
      );
    case "no-such-watch":
      return (
        <ErrorPage title="No such watch" actions={<LinkButton to="/watches">All watches</LinkButton>}>
          <p>No watch with this id is stored. It may have been deleted; its jobs are still there.</p>
        </ErrorPage>
      );
    case "no-such-rule":
      return (
        <ErrorPage title="No such rule" actions={<LinkButton to="/alerts">All rules</LinkButton>}>
          <p>No alert rule with this id is stored. It may have been deleted; what it told is still there.</p>
        </ErrorPage>
      );
    case "no-such-page":
    case 404:
      return (
        <ErrorPage title="No such page" actions={<LinkButton to="/">Overview</LinkButton>}>
          <p>Nothing is at this address.</p>
        </ErrorPage>
      );
    default:
      return (
        <ErrorPage
          title="Something went wrong"
          actions={
            <LinkButton to="/" reloadDocument>
              Overview
            </LinkButton>
          }
        >
          <p>This page could not be drawn. The error is in the log of the Worker; jobs run on.</p>
        </ErrorPage>
      );
  }
}

/** The session ended while the page was open. Loading the address anew leads past the sign-in page and back here. */
function SignedOut() {
  const { pathname, search } = useLocation();
  return (
    <ErrorPage
      title="Signed out"
      actions={
        <LinkButton to={pathname + search} reloadDocument>
          Sign in again
        </LinkButton>
      }
    >
      <p>Your session has ended. You come back to this page.</p>
    </ErrorPage>
  );
}
