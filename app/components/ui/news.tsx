import type { ReactNode } from "react";
import { count } from "~/domain/format";
import { Button } from "./button";

type Props = { n: number; more: boolean; onShow: () => void; children?: ReactNode };

/** Rows that wait behind a button, over the upper edge of a list (`relative`): its coming moves nothing. `more`: than `n`. */
export const News = ({ n, more, onShow, children }: Props) => (
  <div className="pointer-events-none absolute inset-x-0 -top-3.5 z-10 flex justify-center">
    <Button size="sm" onClick={onShow} className="pointer-events-auto rounded-full! text-kumo-link! shadow-md">
      {count(n)}
      {more ? "+" : ""} new
      {children}
    </Button>
  </div>
);
