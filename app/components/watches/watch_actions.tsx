import { Form, useNavigation } from "react-router";
import type { WatchDetail } from "~/domain/watches/feeds";
import { watchAddress } from "~/domain/watches/words";
import { Button, LinkButton } from "../ui/button";

/** What can be done with a watch: small forms, so that they work without a script. */
export function WatchActions({ watch }: { watch: WatchDetail }) {
  const address = watchAddress(watch.id);
  const busy = useNavigation().state !== "idle";
  const press = { "aria-disabled": busy, onClick: (event: React.MouseEvent) => busy && event.preventDefault() };
  return (
    <>
      <Form method="post" action={`${address}/check`}>
        <Button type="submit" {...press}>
          Check now
        </Button>
      </Form>
      {watch.paused ? (
        <Form method="post" action={`${address}/resume`}>
          <Button type="submit" variant="primary" {...press}>
            Resume
          </Button>
        </Form>
      ) : (
        <Form method="post" action={`${address}/pause`}>
          <Button type="submit" {...press}>
            Pause
          </Button>
        </Form>
      )}
      <LinkButton to={`${address}/edit`}>Edit</LinkButton>
      <LinkButton to={`${address}/delete`} variant="secondary-destructive">
        Delete
      </LinkButton>
    </>
  );
}
