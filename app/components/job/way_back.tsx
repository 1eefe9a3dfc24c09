import { useLocation } from "react-router";
import { safePath } from "~/domain/addresses";
import { useHydrated } from "../time/now";
import { TextLink } from "../ui/text_link";

/** Back to the very list that led here, filters and page and all. The server cannot know it: then to all jobs. */
export function WayBack() {
  const hydrated = useHydrated();
  const { state, pathname } = useLocation() as { state: { list?: string; key?: string } | null; pathname: string };
  const to = safePath(hydrated ? state?.list : null, "/jobs");
  return (
    <nav aria-label="Breadcrumb" className="text-sm">
      <TextLink to={to} state={{ job: pathname.split("/").at(-1), scrollKey: state?.key }}>
        {to.startsWith("/dead") ? "Dead jobs" : "Jobs"}
      </TextLink>
    </nav>
  );
}
