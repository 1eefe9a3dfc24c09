import { useQuery } from "@tanstack/react-query";
import { BULK_ACTIONS } from "~/domain/bulk/bulk";
import type { OperationPage } from "~/domain/bulk/feeds";
import { count, utcText } from "~/domain/format";
import type { Feed } from "~/queries/feed";
import { operationsFeed } from "~/queries/operations";

const ASKED = /(^|\s)-?operation:/i;

/** The newest operations, looked up as soon as one is typed into the filter box. */
export function useKnownOperations(typed: string): { id: string; means: string }[] {
  const { key, fetch } = operationsFeed();
  const { data } = useQuery<Feed<OperationPage>>({
    queryKey: ["known", ...key],
    queryFn: ({ signal }) => fetch(undefined, signal),
    enabled: ASKED.test(typed),
    retry: false,
  });
  return (data?.body.operations ?? []).map(({ id, action, changed, createdAt }) => ({
    id,
    means: `${count(changed)} ${BULK_ACTIONS[action].done} · ${utcText(Date.parse(createdAt)).slice(5, 16)} UTC`,
  }));
}
