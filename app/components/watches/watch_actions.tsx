import { Form, useNavigation } from "react-router";
import type { WatchDetail } from "~/domain/watches/feeds";
import { watchAddress } from "~/domain/watches/words";
import { Allowed } from "../rights";
import { Button, LinkButton } from "../ui/button";

/** What can be done with a watch: small forms, so that they work without a script. */
export function WatchActions({ watch }: { watch: WatchDetail }) {
  const address = watchAddress(watch.id);
  const busy = useNavigation().state !== "idle";
  const press = { "aria-disabled": busy, onClick: (event: React.MouseEvent) => busy && event.preventDefault() };
  return (
    <>
      <Allowed send={`${address}/check`}>
        <Form method="post" action={`${address}/check`}>
          <Button type="submit" {...press}>
            Check now
          </Button>
        </Form>
      </Allowed>
      {watch.paused ? (
        <Allowed send={`${address}/resume`}>
          <Form method="post" action={`${address}/resume`}>
            <Button type="submit" variant="primary" {...press}>
              Resume
            </Button>
          </Form>
        </Allowed>
      ) : (
        <Allowed send={`${address}/pause`}>
          <Form method="post" action={`${address}/pause`}>
            <Button type="submit" {...press}>
              Pause
            </Button>
          </Form>
        </Allowed>
      )}
      <LinkButton to={`${address}/edit`}>Edit</LinkButton>
      <LinkButton to={`${address}/delete`} variant="secondary-destructive">
        Delete
      </LinkButton>
    </>
  );
}
