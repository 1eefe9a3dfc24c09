import { useSyncExternalStore } from "react";
import type { Tone } from "~/domain/states";
import { Dot } from "../ui/dot";

type Props = { on: boolean; final?: boolean; failed?: boolean };

/** Whether what is on screen keeps itself up to date, in a word: told to screen readers when it changes. */
export function Connection(props: Props) {
  const online = useOnline();
  const [word, tone, title] = wordOf(props, online);
  return (
    <span role="status" title={title} className="flex items-center gap-1.5 text-sm text-kumo-subtle">
      <Dot tone={tone} />
      {word}
    </span>
  );
}

function wordOf({ on, final, failed }: Props, online: boolean): [string, Tone, string] {
  if (!online) return ["Offline", "warning", "This machine has no network: it goes on by itself when there is one"];
  if (failed) return ["Not reached", "warning", "The last question was not answered"];
  if (final) return ["Final", "neutral", "It has ended: nothing changes any more by itself"];
  return on
    ? ["Live", "success", "What changes is shown by itself"]
    : ["Paused", "neutral", "It stays as it is until you refresh"];
}

const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
