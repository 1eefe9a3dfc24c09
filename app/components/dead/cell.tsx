import { cellAddress } from "~/domain/dead/dead";
import type { TimeRange } from "~/domain/dead/time_range";
import { count } from "~/domain/format";
import { TextLink } from "../ui/text_link";

type Props = { cause: string; n: number; range: TimeRange; of: string };

/** A number that leads to exactly the jobs it counts. */
export const Cell = ({ cause, n, range, of }: Props) =>
  n === 0 ? (
    <span className="text-kumo-subtle">0</span>
  ) : (
    <TextLink to={cellAddress(cause, range)}>
      {count(n)}
      <span className="sr-only">{` ${of} of ${cause}`}</span>
    </TextLink>
  );
