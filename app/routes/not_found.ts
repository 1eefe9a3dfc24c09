import { data } from "react-router";

export function loader() {
  throw data({ reason: "no-such-page" }, { status: 404 });
}

/** A page, so that the answer is one: without it this address would answer with bare data. */
export default function NotFound() {
  return null;
}
