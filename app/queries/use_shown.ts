import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** Marks what a page shows, among all that is asked for. */
export const SHOWN = { shown: true };

const shownOf = (client: QueryClient) =>
  client.getQueryCache().findAll({ type: "active", predicate: ({ meta }) => meta?.shown === true });

/** Whether the last question of any feed that is on screen was not answered: only its own next answer ends that. */
export const anyFailed = (client: QueryClient): boolean =>
  shownOf(client).some(({ state }) => state.status === "error");

/** All feeds of a page as one: it is as far away as the one that does not answer, and asked for as a whole. */
export function useShown(): { failed: boolean; refetch: () => void } {
  const client = useQueryClient();
  const subscribe = useCallback((told: () => void) => client.getQueryCache().subscribe(told), [client]);
  const failed = useSyncExternalStore(
    subscribe,
    () => anyFailed(client),
    () => false,
  );
  const refetch = () => void client.refetchQueries({ type: "active", predicate: ({ meta }) => meta?.shown === true });
  return { failed, refetch };
}
