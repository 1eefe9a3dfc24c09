import { Link } from "react-router";
import type { Environment } from "~/domain/shell/environment";
import { BADGE_LOOK } from "../ui/tone";

type BrandProps = { local: boolean; environment: Environment | null };

export const Brand = ({ local, environment }: BrandProps) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1.5">
    <Link
      to="/"
      className="flex items-center gap-2.5 rounded text-lg font-semibold tracking-tight text-kumo-strong no-underline"
    >
      <Mark />
      Redrive
    </Link>
    {local && <Where name="local" tone="warning" title="Open to this machine without signing in" />}
    {environment && <Where {...environment} title="The name of this deployment" />}
  </div>
);

const Where = ({ name, tone, title }: Environment & { title: string }) => (
  <span
    title={title}
    className={`min-w-0 truncate rounded-full px-2 py-0.5 text-xs font-medium ring ${BADGE_LOOK[tone]}`}
  >
    {name}
  </span>
);

/** Once more round, and out at the other side. */
const Mark = () => (
  <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 shrink-0" fill="none">
    <rect width="24" height="24" rx="6" className="fill-kumo-brand" />
    <path
      d="M6 13.2A5.2 5.2 0 1 0 8 8.3M6 5.6v3.6h3.6"
      stroke="#fff"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      transform="translate(.8 .6)"
    />
  </svg>
);
