import type { WatchDetail } from "~/domain/watches/feeds";
import { watchAddress } from "~/domain/watches/words";
import { PostForm, useSending } from "../post_form";
import { Allowed } from "../rights";
import { Button, LinkButton } from "../ui/button";

/** What can be done with a watch: small forms, so that they work without a script. */
export function WatchActions({ watch }: { watch: WatchDetail }) {
  const address = watchAddress(watch.id);
  const busy = useSending();
  return (
    <>
      <Allowed send={`${address}/check`}>
        <PostForm action={`${address}/check`}>
          <Button type="submit" aria-disabled={busy}>
            Check now
          </Button>
        </PostForm>
      </Allowed>
      {watch.paused ? (
        <Allowed send={`${address}/resume`}>
          <PostForm action={`${address}/resume`}>
            <Button type="submit" variant="primary" aria-disabled={busy}>
              Resume
            </Button>
          </PostForm>
        </Allowed>
      ) : (
        <Allowed send={`${address}/pause`}>
          <PostForm action={`${address}/pause`}>
            <Button type="submit" aria-disabled={busy}>
              Pause
            </Button>
          </PostForm>
        </Allowed>
      )}
      <LinkButton to={`${address}/edit`}>Edit</LinkButton>
      <LinkButton to={`${address}/delete`} variant="secondary-destructive">
        Delete
      </LinkButton>
    </>
  );
}
