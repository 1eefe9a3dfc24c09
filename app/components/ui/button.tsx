import { buttonVariants } from "@cloudflare/kumo/components/button";
import type { ComponentProps, CSSProperties, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { useMay } from "../rights";

type Look = {
  variant?: "primary" | "secondary" | "ghost" | "secondary-destructive";
  /** `row`: small and secondary, for what stands in each row of a table: the library's classes are half a kilobyte a button. */
  size?: "xs" | "sm" | "base" | "row";
  icon?: ReactNode;
};

/** The library's button without its tooltip, which alone would weigh a fifth of the page. */
export function Button({
  variant = "secondary",
  size = "base",
  icon,
  className = "",
  children,
  ...props
}: Look & ComponentProps<"button">) {
  return (
    <button type="button" {...props} className={`${looksOf(variant, size)} ${className}`} style={emphasisOf(variant)}>
      {icon}
      {children}
    </button>
  );
}

/** Leads somewhere; not there for whoever may not go there. */
export function LinkButton({
  variant = "secondary",
  size = "base",
  icon,
  className = "",
  children,
  ...props
}: Look & LinkProps) {
  const may = useMay();
  if (typeof props.to === "string" && !may.open(props.to)) return null;
  return (
    <Link
      {...props}
      discover="none"
      data-button=""
      className={`${looksOf(variant, size)} ${className}`}
      style={emphasisOf(variant)}
    >
      {icon}
      {children}
    </Link>
  );
}

/** Where the library's classes say two things, what it says last. */
const LAST: Partial<Record<NonNullable<Look["variant"]>, string>> = {
  primary: "focus-visible:ring-(--kumo-button-emphasis-ring)!",
  ghost: "shadow-none!",
};

const looksOf = (variant: Look["variant"], size: Look["size"]): string =>
  size === "row"
    ? "row-button"
    : `${buttonVariants({ variant, size })} ${(variant && LAST[variant]) ?? ""} justify-center no-underline aria-disabled:cursor-not-allowed aria-disabled:opacity-55`;

/** Darker than the library's: its white text falls below 4.5 to 1 on the lighter end. */
const emphasisOf = (variant: Look["variant"]): CSSProperties | undefined =>
  variant === "primary"
    ? ({
        "--kumo-button-emphasis-bg": "oklch(50% 0.21 262)",
        "--kumo-button-emphasis-ring": "oklch(43% 0.19 262)",
      } as CSSProperties)
    : undefined;
