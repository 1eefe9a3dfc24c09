import type { ComponentProps } from "react";

/** Of a row that is on its way out, or gone: set back without its colours. Paler it could not be read any more. */
export const SET_BACK = "grayscale italic";

/** Plain tables in the library's look. Wider ones scroll inside their card, by keyboard too. */
export function Table({ label, className = "", children, ...props }: { label: string } & ComponentProps<"table">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto focus-visible:-outline-offset-2">
      <table {...props} className={`w-full border-collapse text-left text-base text-kumo-default ${className}`}>
        {children}
      </table>
    </section>
  );
}

export const Th = ({ className = "", ...props }: ComponentProps<"th">) => (
  <th
    scope="col"
    {...props}
    className={`border-b border-kumo-hairline bg-kumo-elevated px-4 py-2 text-xs font-medium whitespace-nowrap text-kumo-subtle ${className}`}
  />
);

export const Tr = ({ className = "", ...props }: ComponentProps<"tr">) => (
  <tr {...props} className={`border-b border-kumo-hairline last:border-b-0 ${className}`} />
);

export const Td = ({ className = "", ...props }: ComponentProps<"td">) => (
  <td {...props} className={`px-4 py-2.5 align-top ${className}`} />
);
