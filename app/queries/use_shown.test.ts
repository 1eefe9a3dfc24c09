import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { anyFailed, SHOWN } from "./use_shown";

/** A feed on screen, which answers or not as it is told. */
function feed(client: QueryClient, name: string, meta: Record<string, unknown> = SHOWN) {
  let answers = true;
  const queryFn = async () => {
    if (!answers) throw new Error("not reached");
    return name;
  };
  const observer = new QueryObserver(client, { queryKey: [name], queryFn, initialData: "", meta, retry: false });
  const leave = observer.subscribe(() => {});
  const ask = async (does: boolean) => {
    answers = does;
    await observer.refetch();
    return anyFailed(client);
  };
  return { ask, leave };
}

test("a page is reached again when the very feed answers that did not, not when another one does", async () => {
  const client = new QueryClient();
  const [stats, list] = [feed(client, "stats"), feed(client, "list")];
  expect(await stats.ask(true)).toBe(false);
  expect(await list.ask(false)).toBe(true);
  expect(await stats.ask(true)).toBe(true);
  expect(await list.ask(false)).toBe(true);
  expect(await list.ask(true)).toBe(false);

  expect(await stats.ask(false)).toBe(true);
  expect(await list.ask(true)).toBe(true);
  expect(await stats.ask(true)).toBe(false);
});

test("what has left the screen, or is asked for in passing, says nothing of the page", async () => {
  const client = new QueryClient();
  const [list, count] = [feed(client, "list"), feed(client, "a count", {})];
  expect(await count.ask(false)).toBe(false);
  expect(await list.ask(false)).toBe(true);
  list.leave();
  expect(anyFailed(client)).toBe(false);
});
