import { KeyboardIcon } from "@phosphor-icons/react/dist/ssr/Keyboard";
import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import { useHydrated } from "../time/now";
import { useOpenKeys } from "./context";
import { Kbd } from "./kbd";

/** In its place from the start, so that nothing moves when the script comes that it needs. */
export function OpenPalette() {
  const open = useOpenKeys();
  return (
    <button
      type="button"
      aria-disabled={!useHydrated()}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => open("palette")}
      className="flex h-9 w-full items-center gap-2 rounded-lg bg-kumo-base px-2.5 text-base text-kumo-subtle ring ring-kumo-line hover:text-kumo-default"
    >
      <MagnifyingGlassIcon aria-hidden="true" size={16} />
      Jump to…
      <span className="ml-auto hidden lg:inline">
        <Kbd>Ctrl K</Kbd>
      </span>
    </button>
  );
}

export function OpenSheet() {
  const open = useOpenKeys();
  const hydrated = useHydrated();
  return (
    <button
      type="button"
      onClick={() => open("sheet")}
      className={`flex items-center gap-2 rounded text-sm text-kumo-subtle hover:text-kumo-default ${hydrated ? "" : "invisible"}`}
    >
      <KeyboardIcon aria-hidden="true" size={16} />
      Keyboard
    </button>
  );
}
