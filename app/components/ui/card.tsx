import { LayerCard } from "@cloudflare/kumo/components/layer-card";
import type { ReactNode } from "react";

/** A titled part of a page. */
export function Card({
  title,
  note,
  aside,
  children,
  className = "",
  flush = false,
}: {
  title?: ReactNode;
  /** A word beside the title, on its line at any width. */
  note?: ReactNode;
  /** At the other end; where there is no room, below. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  /** No padding: for tables and lists that draw their own lines. */
  flush?: boolean;
}) {
  return (
    <LayerCard className={className} render={<section />}>
      {title && (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-kumo-hairline px-4 py-2">
          <div className="flex items-baseline gap-2">
            <h2 className="text-base font-semibold text-kumo-default">{title}</h2>
            {note && <span className="text-sm whitespace-nowrap text-kumo-subtle">{note}</span>}
          </div>
          {aside && <div className="text-sm text-kumo-subtle">{aside}</div>}
        </div>
      )}
      {flush ? children : <div className="p-4">{children}</div>}
    </LayerCard>
  );
}
