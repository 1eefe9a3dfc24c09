import { type EndpointRow, endpointAddress } from "~/domain/webhooks/webhooks";
import { PostForm } from "../post_form";
import { Allowed } from "../rights";
import { Button, LinkButton } from "../ui/button";

/** `form`: names the test, so that pressing twice sends one. */
export function EndpointActions({ endpoint, form }: { endpoint: EndpointRow; form: string }) {
  const address = endpointAddress(endpoint.id);
  return (
    <>
      {endpoint.disabledAt ? (
        <Allowed send={`${address}/enable`}>
          <PostForm action={`${address}/enable`}>
            <Button type="submit" variant="primary">
              Enable
            </Button>
          </PostForm>
        </Allowed>
      ) : (
        <>
          <Allowed send={`${address}/test`}>
            <PostForm action={`${address}/test`}>
              <input type="hidden" name="form" value={form} />
              <Button type="submit">Send a test event</Button>
            </PostForm>
          </Allowed>
          <Allowed send={`${address}/disable`}>
            <PostForm action={`${address}/disable`}>
              <Button type="submit">Disable</Button>
            </PostForm>
          </Allowed>
        </>
      )}
      {endpoint.signed && <LinkButton to={`${address}/rotate`}>Rotate secret</LinkButton>}
      <LinkButton to={`${address}/delete`} variant="secondary-destructive">
        Delete
      </LinkButton>
    </>
  );
}
