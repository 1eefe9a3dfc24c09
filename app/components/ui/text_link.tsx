import { Link, type LinkProps } from "react-router";
import { useMay } from "../rights";

/** A name that leads to what it names; the name alone for whoever may not go there. */
export function TextLink({ className = "", ...props }: LinkProps) {
  const may = useMay();
  if (typeof props.to === "string" && !may.open(props.to)) return <span className={className}>{props.children}</span>;
  return <Link {...props} discover="none" className={`link ${className}`} />;
}
