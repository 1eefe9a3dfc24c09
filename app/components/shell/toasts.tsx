import { CheckCircleIcon } from "@phosphor-icons/react/dist/ssr/CheckCircle";
import { InfoIcon } from "@phosphor-icons/react/dist/ssr/Info";
import { WarningIcon } from "@phosphor-icons/react/dist/ssr/Warning";
import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router";
import { jobAddress, operationAddress } from "~/domain/addresses";
import { type Notice, type NoticeCode, noticeOf } from "~/domain/notices";
import { useHydrated } from "../time/now";
import { TextLink } from "../ui/text_link";
import { TEXT } from "../ui/tone";

type Said = Notice & { key: number };
const SayContext = createContext<(notice: NoticeCode) => void>(() => {});
const SHOWN_MS = 8_000;

/** Tells what came of an action, also to screen readers. */
export const useSay = () => useContext(SayContext);

/** `first`: what a form sent without a script did, already in the page that answers it. */
export function Toasts({ first, children }: { first: NoticeCode | null; children: ReactNode }) {
  const [said, setSaid] = useState<Said[]>(() => (first ? [{ ...noticeOf(first), key: 0 }] : []));
  const next = useRef(1);
  const say = useMemo(
    () => (notice: NoticeCode) =>
      setSaid((before) => [...before.slice(-3), { ...noticeOf(notice), key: next.current++ }]),
    [],
  );
  const shown = useRef(first);
  useEffect(() => {
    if (first && first !== shown.current) say(first);
    shown.current = first;
  }, [first, say]);

  return (
    <SayContext value={say}>
      {children}
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-4 z-30 flex flex-col items-end gap-2 sm:left-auto sm:w-96"
      >
        {said.map((notice) => (
          <Toast
            key={notice.key}
            notice={notice}
            onEnd={() => setSaid((before) => before.filter((one) => one !== notice))}
          />
        ))}
      </div>
    </SayContext>
  );
}

const ICONS = { success: CheckCircleIcon, info: InfoIcon, warning: WarningIcon, danger: WarningIcon };

function Toast({ notice, onEnd }: { notice: Notice; onEnd: () => void }) {
  const hydrated = useHydrated();
  const { pathname } = useLocation();
  const job = notice.jobId === null ? null : jobAddress(notice.jobId);
  const operation = notice.operation === undefined ? null : operationAddress(notice.operation);
  const [kept, setKept] = useState(notice.tone === "danger");
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (kept) return;
    const timer = setTimeout(() => end.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [kept]);
  const Icon = ICONS[notice.tone];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it from leaving
    <div
      onPointerEnter={() => setKept(true)}
      onFocus={() => setKept(true)}
      className="toast-in pointer-events-auto flex w-full items-start gap-3 rounded-lg bg-kumo-base px-4 py-3 shadow-lg ring ring-kumo-line"
    >
      <Icon aria-hidden="true" size={18} weight="fill" className={`mt-0.5 shrink-0 ${TEXT[notice.tone]}`} />
      <p className="min-w-0 flex-1 text-base">
        {notice.text}{" "}
        {job !== null && job !== pathname && (
          <TextLink to={job} className="whitespace-nowrap">
            Open job
          </TextLink>
        )}
        {operation !== null && operation !== pathname && (
          <TextLink to={operation} className="whitespace-nowrap">
            Open operation
          </TextLink>
        )}
      </p>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={onEnd}
        className={`-m-1 rounded p-1 text-kumo-subtle hover:text-kumo-default ${hydrated ? "" : "invisible"}`}
      >
        <XIcon aria-hidden="true" size={16} />
      </button>
    </div>
  );
}
