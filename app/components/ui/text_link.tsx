import { Link, type LinkProps } from "react-router";

export const TextLink = ({ className = "", ...props }: LinkProps) => (
  <Link
    {...props}
    className={`text-kumo-link underline decoration-kumo-link/35 underline-offset-2 hover:decoration-current ${className}`}
  />
);
