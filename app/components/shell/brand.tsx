import { Link } from "react-router";

export const Brand = ({ local }: { local: boolean }) => (
  <div className="flex items-center gap-2.5">
    <Link
      to="/"
      className="flex items-center gap-2.5 rounded text-lg font-semibold tracking-tight text-kumo-strong no-underline"
    >
      <Mark />
      Redrive
    </Link>
    {local && (
      <span
        title="Open to this machine without signing in"
        className="rounded-full bg-kumo-warning-tint px-2 py-0.5 text-xs font-medium text-kumo-warning ring ring-kumo-warning/40"
      >
        local
      </span>
    )}
  </div>
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
