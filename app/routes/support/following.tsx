import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSay } from "~/components/shell/toasts";
import type { OperationDetail } from "~/domain/bulk/feeds";
import type { Feed } from "~/queries/feed";
import { operationFeed } from "~/queries/operations";

const ASK_EVERY_MS = 1_000;

/** The operation that was started last from this page. */
export function useFollowing() {
  const [following, follow] = useState<string | null>(null);
  return { following, follow };
}

/** Watches an operation that was started here, and tells how it ended. Draws nothing. */
export function Following({ id }: { id: string }) {
  const say = useSay();
  const { fetch } = operationFeed(id);
  const { data } = useQuery<Feed<OperationDetail>>({
    queryKey: ["following", id],
    queryFn: ({ signal }) => fetch(undefined, signal),
    refetchInterval: ({ state }) => (state.data && state.data.body.state !== "running" ? false : ASK_EVERY_MS),
    retry: false,
  });
  const ended = data && data.body.state !== "running" ? data.body : null;
  useEffect(() => {
    if (!ended) return;
    const { action, changed, skipped } = ended;
    say({ code: "bulk-ended", jobId: null, action, changed, left: skipped, operation: id });
  }, [ended, id, say]);
  return null;
}
