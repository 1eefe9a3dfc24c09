import { useEffect } from "react";
import { useLocation, useRevalidator } from "react-router";
import { ErrorPage } from "~/components/shell/error_page";
import { LinkButton } from "~/components/ui/button";

const AGAIN_MS = 5_000;

/** Stands in for a page while the database is away, and asks for it again until it is back. */
export function Unreachable() {
  const { revalidate, state } = useRevalidator();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const timer = setInterval(revalidate, AGAIN_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <ErrorPage
      title="The database does not answer"
      actions={
        <LinkButton
          to={pathname + search}
          reloadDocument
          onClick={(event) => {
            event.preventDefault();
            void revalidate();
          }}
        >
          {state === "idle" ? "Try again" : "Trying…"}
        </LinkButton>
      }
    >
      <p>
        Nothing is lost: accepted jobs are stored there, and go on when it is back. This page tries again by itself.
      </p>
    </ErrorPage>
  );
}
