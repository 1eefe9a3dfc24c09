import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { useLocation } from "react-router";
import { SHORTCUTS } from "~/domain/shell/keys";
import { usePreferences } from "../preferences";
import { useMay } from "../rights";
import { useSend } from "../send";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Kbd } from "./kbd";

/** All shortcuts, and the switch for those of a single letter. */
export default function Sheet({ onClose }: { onClose: () => void }) {
  const { keys } = usePreferences();
  const may = useMay();
  const allowed = ({ sends, opens }: { sends?: string; opens?: string }) =>
    (!sends || may.send(sends)) && (!opens || may.open(opens));
  const { sent, onSubmit } = useSend();
  const { pathname, search } = useLocation();
  const wished = sent?.get("keys");
  const on = wished ? wished === "on" : keys;
  return (
    <Dialog label="Keyboard" onClose={onClose} className="w-[min(44rem,calc(100vw-2rem))]">
      <div className="flex items-center justify-between gap-4 border-b border-kumo-hairline px-5 py-3">
        <h2 className="text-lg font-semibold tracking-tight text-kumo-strong">Keyboard</h2>
        <Button size="sm" variant="ghost" aria-label="Close" onClick={onClose} icon={<XIcon aria-hidden="true" />} />
      </div>
      <div className="grid gap-x-8 gap-y-5 p-5 sm:grid-cols-2">
        {SHORTCUTS.map(({ where, shortcuts }) => (
          <section key={where} className={where === "Pages" ? "sm:col-start-2 sm:row-span-3 sm:row-start-1" : ""}>
            <h3 className="mb-1.5 text-sm font-semibold text-kumo-strong">{where}</h3>
            <dl className="flex flex-col gap-1.5">
              {shortcuts.filter(allowed).map(({ keys: names, does }) => (
                <div key={does} className="flex items-baseline justify-between gap-4">
                  <dt className="min-w-0 text-kumo-subtle">{does}</dt>
                  <dd className="flex shrink-0 gap-1.5">
                    {names.map((name) => (
                      <Kbd key={name}>{name}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <form
        method="post"
        action="/preferences"
        onSubmit={onSubmit}
        className="flex flex-wrap items-center justify-between gap-3 border-t border-kumo-hairline px-5 py-3"
      >
        <input type="hidden" name="back" value={pathname + search} />
        <p className="text-sm text-kumo-subtle">
          Single letters never act while you type. Switched off, only <Kbd>Ctrl K</Kbd> remains.
        </p>
        <Button type="submit" size="sm" name="keys" value={on ? "off" : "on"} aria-pressed={on}>
          Single letters {on ? "on" : "off"}
        </Button>
      </form>
    </Dialog>
  );
}
