import { Link } from "react-router";

/** Payloads to start from: links, so each has an address. */
export const Examples = ({ examples }: { examples: { title: string; address: string; on: boolean }[] }) =>
  examples.length > 1 ? (
    <ul aria-label="Examples" className="flex flex-wrap gap-1.5">
      {examples.map(({ title, address, on }) => (
        <li key={title}>
          <Link
            to={address}
            replace
            preventScrollReset
            aria-current={on ? "true" : undefined}
            className={`block rounded-full px-2.5 py-0.5 text-sm no-underline ring ${
              on
                ? "bg-kumo-info-tint text-kumo-info ring-kumo-info/40"
                : "bg-kumo-base text-kumo-subtle ring-kumo-line hover:text-kumo-default"
            }`}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  ) : null;
