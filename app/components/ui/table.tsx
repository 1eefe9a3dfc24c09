import type { ComponentProps } from "react";

/** Of a row that is on its way out, or gone: set back without its colours. Paler it could not be read any more. */
export const SET_BACK = "grayscale italic";

/** Plain tables in the library's look, which `many.css` gives to all their cells. Wider ones scroll inside their card, by keyboard too. */
export function Table({ label, className = "", children, ...props }: { label: string } & ComponentProps<"table">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto focus-visible:-outline-offset-2">
      <table {...props} className={`cells ${className}`}>
        {children}
      </table>
    </section>
  );
}

export const Th = (props: ComponentProps<"th">) => <th scope="col" {...props} />;
export const Tr = (props: ComponentProps<"tr">) => <tr {...props} />;
export const Td = (props: ComponentProps<"td">) => <td {...props} />;
