import type { ReactNode } from "react";

export const PageHeader = ({ title, lead, children }: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 className="text-xl leading-8 font-semibold tracking-tight wrap-anywhere text-kumo-strong">{title}</h1>
      {lead && <p className="text-base wrap-anywhere text-kumo-subtle">{lead}</p>}
    </div>
    {children && (
      <>
        {/* At the right edge what comes later pushes what is there: until all of it has arrived, none of it is seen. */}
        <div className="flex flex-wrap items-center gap-2 [&:not(:has(+*))]:invisible">{children}</div>
        <span hidden />
      </>
    )}
  </div>
);
