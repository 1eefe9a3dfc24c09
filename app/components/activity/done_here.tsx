import type { ReactNode } from "react";
import { activityAddress } from "~/domain/audit/filter";
import { TextLink } from "../ui/text_link";

type Props = { object: string; className?: string; children?: ReactNode };

/** To all that anybody has done to one thing: by its id, a kind by its name. */
export const DoneHere = ({ object, className = "text-sm", children = "All that was done here" }: Props) => (
  <TextLink to={activityAddress({ object })} className={className}>
    {children}
  </TextLink>
);
