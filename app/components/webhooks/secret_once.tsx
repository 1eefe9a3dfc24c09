import { Banner } from "../ui/banner";
import { CopyButton } from "../ui/copy_button";

/** A secret, the only time it can be read. */
export const SecretOnce = ({ title, secret, children }: { title: string; secret: string; children: string }) => (
  <Banner role="status" tone="success" title={title}>
    <p>{children}</p>
    <p className="mt-2 flex flex-wrap items-center gap-2">
      <code className="rounded bg-kumo-base px-2 py-1 font-mono text-sm break-all ring ring-kumo-hairline">
        {secret}
      </code>
      <CopyButton text={secret} what="secret" />
    </p>
  </Banner>
);
