import { Link, type LinkProps } from "react-router";

export const TextLink = ({ className = "", ...props }: LinkProps) => (
  <Link {...props} discover="none" className={`link ${className}`} />
);
