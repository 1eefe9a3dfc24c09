import { CopyButton } from "./copy_button";
import { ScrollText } from "./scroll_text";

/** A command to take away. */
export const Snippet = ({ text, what }: { text: string; what: string }) => (
  <div className="w-full overflow-hidden rounded-lg bg-kumo-recessed text-left ring ring-kumo-hairline">
    <div className="flex h-9 items-center justify-between border-b border-kumo-hairline pr-1 pl-3 text-sm text-kumo-subtle">
      Shell
      <CopyButton text={text} what={what} />
    </div>
    <ScrollText label={what} wrap className="p-3 text-sm">
      {text}
    </ScrollText>
  </div>
);
