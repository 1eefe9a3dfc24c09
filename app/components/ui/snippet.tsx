import { CopyButton } from "./copy_button";
import { ScrollText } from "./scroll_text";

/** A command to take away. */
export const Snippet = ({ text, what }: { text: string; what: string }) => (
  <div className="relative w-full overflow-hidden rounded-lg bg-kumo-recessed text-left ring ring-kumo-hairline">
    <ScrollText label={what} className="p-3 pr-24 text-sm">
      {text}
    </ScrollText>
    <div className="absolute top-1.5 right-1.5 rounded-md bg-kumo-recessed">
      <CopyButton text={text} what={what} />
    </div>
  </div>
);
