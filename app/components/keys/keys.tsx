import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type Command, commandOf, WAIT_MS } from "~/domain/shell/keys";
import { usePreferences } from "../preferences";
import { useMay } from "../rights";
import { KeysContext, type Opened } from "./context";
import { goBack, isTyping, moveRow, pickRow, pressRequeue, toFilter } from "./page";
import { useGo } from "./use_go";

// Neither is needed before somebody asks for it.
const Sheet = lazy(() => import("./sheet"));
const Palette = lazy(() => import("./palette"));

type Props = {
  /** Kinds that have jobs, for the palette. */
  kinds: string[];
  mailbox: boolean;
  children: ReactNode;
};

/** The keyboard, over all pages. */
export function Keys({ kinds, mailbox, children }: Props) {
  const { keys: on } = usePreferences();
  const navigate = useNavigate();
  const go = useGo();
  const may = useMay();
  const [opened, setOpened] = useState<Opened>(null);
  const waitsUntil = useRef(0);
  /** Typed on the way to what is still being loaded: meant for it, and for nothing on the page. Null: nothing is. */
  const ahead = useRef<string | null>(null);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
      const { key, ctrlKey: ctrl, metaKey: meta, altKey: alt, shiftKey: shift } = event;
      // Held on the way to the letter that was meant.
      if (["Shift", "Control", "Alt", "Meta"].includes(key)) return;
      if (ahead.current !== null) {
        if (key.length === 1 && !ctrl && !meta && !alt) ahead.current += key;
        return;
      }
      const waiting = event.timeStamp < waitsUntil.current;
      waitsUntil.current = 0;
      const command = commandOf({ key, ctrl, meta, alt, shift, typing: isTyping(event.target) }, { on, waiting });
      if (!command) return;
      if (command.do === "wait") waitsUntil.current = event.timeStamp + WAIT_MS;
      if (perform(command)) event.preventDefault();
    }
    /** False where there is nothing on the page to do it to: then the key is the browser's. */
    function perform(command: Command): boolean {
      switch (command.do) {
        case "palette":
        case "actions":
        case "sheet":
          ahead.current = "";
          setOpened(command.do);
          return true;
        case "go":
          if (may.open(command.to)) go(command.to);
          return true;
        case "filter":
          if (!toFilter()) void navigate("/jobs", { state: { focus: "filter" } });
          return true;
        case "row":
          return moveRow(command.by);
        case "pick":
          return pickRow(command.range);
        case "back":
          return goBack();
        case "requeue":
          return pressRequeue();
        case "wait":
          return true;
      }
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [on, navigate, go, may]);

  const open = (what: Opened) => {
    ahead.current = what && "";
    setOpened(what);
  };
  const close = () => open(null);
  return (
    <KeysContext value={open}>
      {children}
      {opened && (
        <Suspense>
          {opened === "sheet" ? (
            <Sheet onClose={close} />
          ) : (
            <Palette
              kinds={kinds}
              mailbox={mailbox}
              here={opened === "actions"}
              ahead={() => ahead.current ?? ""}
              onClose={close}
              onSheet={() => open("sheet")}
            />
          )}
        </Suspense>
      )}
    </KeysContext>
  );
}
