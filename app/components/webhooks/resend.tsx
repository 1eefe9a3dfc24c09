import { Form, useLocation, useNavigation } from "react-router";
import { type DeliveryRow, deliveryAddress } from "~/domain/webhooks/webhooks";
import { Allowed } from "../rights";
import { Button } from "../ui/button";

/** Sends one delivery again, by the same webhook-id. Leads to the job that does it. */
export function Resend({ row }: { row: DeliveryRow }) {
  const { pathname, search } = useLocation();
  const action = `${deliveryAddress(row.webhookId)}/resend`;
  const busy = useNavigation().formAction === action;
  return (
    <Allowed send={action}>
      <Form method="post" action={action}>
        <input type="hidden" name="back" value={pathname + search} />
        <Button type="submit" size="sm" aria-disabled={busy} onClick={(event) => busy && event.preventDefault()}>
          Resend
          <span className="sr-only"> to {row.target}</span>
        </Button>
      </Form>
    </Allowed>
  );
}
