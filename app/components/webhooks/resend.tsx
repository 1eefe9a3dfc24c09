import { useLocation } from "react-router";
import { type DeliveryRow, deliveryAddress } from "~/domain/webhooks/webhooks";
import { PostForm, useSending } from "../post_form";
import { Allowed } from "../rights";
import { Button } from "../ui/button";

/** Sends one delivery again, by the same webhook-id. Leads to the job that does it. */
export function Resend({ row }: { row: DeliveryRow }) {
  const { pathname, search } = useLocation();
  const action = `${deliveryAddress(row.webhookId)}/resend`;
  const busy = useSending();
  return (
    <Allowed send={action}>
      <PostForm action={action}>
        <input type="hidden" name="back" value={pathname + search} />
        <Button type="submit" size="sm" aria-disabled={busy}>
          Resend
          <span className="sr-only"> to {row.target}</span>
        </Button>
      </PostForm>
    </Allowed>
  );
}
