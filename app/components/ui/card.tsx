import { LayerCard } from "@cloudflare/kumo/components/layer-card";
import type { ReactNode } from "react";

/** A titled part of a page. */
export function Card({
  title,
  aside,
  children,
  className = "",
  flush = false,
}: {
  title?: ReactNode;
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
          <h2 className="text-base font-semibold text-kumo-default">{title}</h2>
          {aside && <div className="text-sm text-kumo-subtle">{aside}</div>}
        </div>
      )}
      {flush ? children : <div className="p-4">{children}</div>}
    </LayerCard>
  );
}
