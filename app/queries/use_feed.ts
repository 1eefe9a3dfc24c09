import { type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useLayoutEffect, useRef } from "react";
import { type Feed, type FeedError, feedOf } from "./feed";
import { pollInterval } from "./polling";
import { SHOWN } from "./use_shown";

export type FeedOptions<T> = {
  key: QueryKey;
  fetch: (previous: Feed<T> | undefined, signal: AbortSignal) => Promise<Feed<T>>;
  isFinal: (body: T) => boolean;
  /** Asked for no more often than this, however much happens; of some feeds the answer tells. */
  everyMs?: number | ((body: T) => number);
};

/** How often feeds are asked for at most: what the user chose. */
export const PaceContext = createContext(0);

/** What a page shows of a feed: its newest answer, and whether the last poll failed. */
export type Live<T> = { body: T; at: number; failed: FeedError | Error | null; final: boolean; refetch: () => void };

/**
 * Shows what the loader read, then polls. `read` is the loader's own answer: a new one (after a navigation or an action)
 * takes the place of whatever was polled before, and a poll still under way then is dropped.
 */
export function useFeed<T>(options: FeedOptions<T>, read: { body: T; at: number }, paused: boolean): Live<T> {
  const client = useQueryClient();
  const pace = useContext(PaceContext);
  const query = useQuery({
    queryKey: options.key,
    meta: SHOWN,
    queryFn: ({ signal }) => options.fetch(client.getQueryData<Feed<T>>(options.key), signal),
    initialData: () => feedOf(read.body, read.at),
    refetchInterval: ({ state }) =>
      pollInterval({
        paused,
        hidden: typeof document !== "undefined" && document.visibilityState === "hidden",
        final: state.data !== undefined && options.isFinal(state.data.body),
        failed: state.status === "error",
        unchanged: state.data?.unchanged ?? 0,
        everyMs: Math.max(pace, dearOf(options, state.data?.body)),
      }),
    refetchOnMount: false,
    refetchOnWindowFocus: !paused,
    refetchOnReconnect: !paused,
    staleTime: 0,
    retry: false,
  });

  // Nothing at first: what an earlier visit of this page has left in the cache is older than what was just read.
  const shown = useRef<T>(undefined);
  const isNew = shown.current !== read.body;
  useLayoutEffect(() => {
    if (shown.current === read.body) return;
    shown.current = read.body;
    void client.cancelQueries({ queryKey: options.key });
    client.setQueryData(options.key, feedOf(read.body, read.at));
  });
  const feed = isNew ? feedOf(read.body, read.at) : query.data;

  return {
    body: feed.body,
    at: feed.at,
    failed: isNew ? null : query.error,
    final: options.isFinal(feed.body),
    refetch: () => void query.refetch(),
  };
}

function dearOf<T>({ everyMs = 0 }: FeedOptions<T>, body: T | undefined): number {
  if (typeof everyMs === "number") return everyMs;
  return body === undefined ? 0 : everyMs(body);
}
