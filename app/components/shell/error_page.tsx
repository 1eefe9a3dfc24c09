import type { ReactNode } from "react";

/** The whole of a page that cannot be shown: what happened, and what can be done. */
export const ErrorPage = ({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) => (
  <div role="alert" className="mx-auto flex max-w-xl flex-col items-start gap-4 py-16">
    <h1 className="text-2xl font-semibold tracking-tight text-kumo-strong">{title}</h1>
    <div className="flex flex-col gap-2 text-base text-kumo-subtle wrap-anywhere">{children}</div>
    <div className="flex flex-wrap gap-2">{actions}</div>
  </div>
);
