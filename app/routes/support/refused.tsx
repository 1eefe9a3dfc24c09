import { Banner } from "~/components/ui/banner";
import type { Problem } from "~/domain/submission";

/** Above a form that was not taken: what belongs to no field of it. */
export function Refused({ problems }: { problems: Problem[] }) {
  if (problems.length === 0) return null;
  const general = problems.filter(({ path }) => path === "");
  return (
    <Banner role="alert" tone="danger" title="Not saved">
      {general.length > 0 ? general.map(({ message }) => <p key={message}>{message}</p>) : "See the fields below."}
    </Banner>
  );
}
