import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { CopyIcon } from "@phosphor-icons/react/dist/ssr/Copy";
import { useEffect, useState } from "react";
import { useHydrated } from "../time/now";
import { Button } from "./button";

/** Copies `text`, once there is a script to do it. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const hydrated = useHydrated();
  const [done, setDone] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(null), 2_000);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <Button
      // Its place is kept, so that nothing moves when the script comes that it needs.
      className={hydrated ? "" : "invisible noscript:hidden"}
      size="sm"
      variant="ghost"
      icon={done === "copied" ? <CheckIcon aria-hidden="true" /> : <CopyIcon aria-hidden="true" />}
      onClick={() => copy(text).then(setDone)}
    >
      <span aria-live="polite">{done ? SAID[done] : "Copy"}</span>
      <span className="sr-only"> {what}</span>
    </Button>
  );
}

const SAID = { copied: "Copied", failed: "Select and copy by hand" };

/** Over plain http browsers have no clipboard: then an invisible field does it. */
async function copy(text: string): Promise<"copied" | "failed"> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.setAttribute("readonly", "");
    field.className = "fixed -left-full top-0";
    document.body.appendChild(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied ? "copied" : "failed";
  }
}
