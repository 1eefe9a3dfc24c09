import type { ReactNode } from "react";

/** A page without a frame and without scripts: it is the same for everybody who may see it, so it can be kept. */
export const ReportDocument = ({
  title,
  stylesheet,
  indexable,
  children,
}: {
  title: string;
  stylesheet: string;
  indexable: boolean;
  children?: ReactNode;
}) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {!indexable && <meta name="robots" content="noindex" />}
      <title>{title}</title>
      <link rel="stylesheet" href={stylesheet || undefined} />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    </head>
    <body className="bg-kumo-canvas text-base text-kumo-default antialiased">
      <main className="mx-auto flex max-w-4xl flex-col gap-5 px-4 py-8">{children}</main>
    </body>
  </html>
);
