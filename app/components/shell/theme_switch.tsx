import { DesktopIcon } from "@phosphor-icons/react/dist/ssr/Desktop";
import { MoonIcon } from "@phosphor-icons/react/dist/ssr/Moon";
import { SunIcon } from "@phosphor-icons/react/dist/ssr/Sun";
import { useLocation } from "react-router";
import { THEMES, type Theme } from "~/domain/shell/preferences";
import { useSend } from "../send";

const LOOKS = {
  system: { label: "As the system", Icon: DesktopIcon },
  light: { label: "Light", Icon: SunIcon },
  dark: { label: "Dark", Icon: MoonIcon },
} as const satisfies Record<Theme, unknown>;

export function ThemeSwitch({ theme }: { theme: Theme }) {
  const { sent, onSubmit } = useSend();
  const { pathname, search } = useLocation();
  const shown = (sent?.get("theme") as Theme | undefined) ?? theme;
  return (
    <form method="post" action="/preferences" onSubmit={onSubmit}>
      <input type="hidden" name="back" value={pathname + search} />
      <fieldset className="flex w-max gap-0.5 rounded-lg bg-kumo-recessed p-0.5 ring ring-kumo-hairline">
        <legend className="sr-only">Colours</legend>
        {THEMES.map((name) => {
          const { label, Icon } = LOOKS[name];
          const on = name === shown;
          return (
            <button
              key={name}
              type="submit"
              name="theme"
              value={name}
              title={label}
              aria-label={label}
              aria-pressed={on}
              className={`grid size-8 place-items-center lg:size-7 rounded-md ${
                on
                  ? "bg-kumo-base text-kumo-strong shadow-xs ring ring-kumo-line"
                  : "text-kumo-subtle hover:text-kumo-default"
              }`}
            >
              <Icon aria-hidden="true" size={16} />
            </button>
          );
        })}
      </fieldset>
    </form>
  );
}
