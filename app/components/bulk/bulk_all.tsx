import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { bulkAddress } from "~/domain/addresses";
import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";
import { useMay } from "../rights";
import { useHydrated } from "../time/now";
import { Button, LinkButton } from "../ui/button";
import type { Question } from "./question";
import type { useBulk } from "./use_bulk";

type Props = {
  action: BulkAction;
  filter: BulkFilter;
  /** How many match now. */
  n: number;
  parts?: Question["parts"];
  reason: string;
  bulk: ReturnType<typeof useBulk>;
  size?: "sm" | "base" | "row";
  children: ReactNode;
};

/** Everything that matches, from one button. Without a script it leads to a page that asks. */
export function BulkAll({ action, filter, n, parts = [], reason, bulk, size = "sm", children }: Props) {
  const may = useMay();
  const hydrated = useHydrated();
  const { pathname, search } = useLocation();
  const look = { size, className: size === "row" ? undefined : "inline-flex!" } as const;
  if (!may.send("/bulk")) return null;
  if (n === 0) {
    return (
      <Button {...look} aria-disabled="true" title="Nothing matches">
        {children}
      </Button>
    );
  }
  if (!hydrated) {
    return (
      <LinkButton {...look} to={bulkAddress(action, filter, { reason, back: pathname + search })}>
        {children}
      </LinkButton>
    );
  }
  const question = { action, n, filter, left: 0, parts, names: [], reason };
  return (
    <Button {...look} aria-disabled={bulk.sending !== null} onClick={() => void bulk.ask(question, [])}>
      {children}
    </Button>
  );
}
