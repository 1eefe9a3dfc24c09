import { useRouteLoaderData } from "react-router";
import type { loader } from "~/root";

/** What the frame around every page has read: preferences, the numbers, who is looking. */
export function useFrame() {
  const frame = useRouteLoaderData<typeof loader>("root");
  if (!frame) throw new Error("a page is drawn inside its frame");
  return frame;
}
