import { DownloadSimpleIcon } from "@phosphor-icons/react/dist/ssr/DownloadSimple";
import { useState } from "react";
import { bytesText } from "~/domain/format";
import { prettyJson, type Token, tokensOf } from "~/domain/job/pretty";
import { byteLength } from "~/domain/text";
import { useRights } from "../rights";
import { Button, LinkButton } from "../ui/button";
import { Card } from "../ui/card";
import { CopyButton } from "../ui/copy_button";
import { ScrollText } from "../ui/scroll_text";
import { FoundText } from "./found_text";
import { useFinder } from "./use_finder";

/** More than this is shown on demand, and without colours: a page stays quick whatever was submitted. */
const SHOWN_CHARS = 12_000;

/** A stored JSON text, spread over lines, to be searched. Copied and downloaded is the text as it is stored, but for secrets. */
export function JsonCard({ title, text, download }: { title: string; text: string; download?: string }) {
  const { payloads } = useRights();
  const [whole, setWhole] = useState(false);
  const pretty = prettyJson(text);
  const { find, at, finder } = useFinder(pretty, title);
  if (!payloads) return <HiddenCard title={title} />;
  const cut = pretty.length > SHOWN_CHARS && !whole && find === "";
  return (
    <Card
      flush
      title={title}
      note={<span className="tabular-nums">{bytesText(byteLength(text))}</span>}
      aside={
        <span className="flex items-center gap-1">
          {finder}
          <CopyButton text={text} what={title.toLowerCase()} />
          {download && (
            <LinkButton
              size="sm"
              variant="ghost"
              to={download}
              reloadDocument
              download
              aria-label={`Download ${title.toLowerCase()}`}
              icon={<DownloadSimpleIcon aria-hidden="true" />}
            >
              Download
            </LinkButton>
          )}
        </span>
      }
    >
      <ScrollText label={title} className="max-h-128 p-4 text-sm leading-5">
        <Shown text={cut ? pretty.slice(0, SHOWN_CHARS) : pretty} find={find} at={at} />
      </ScrollText>
      {cut && (
        <div className="flex items-center gap-3 border-t border-kumo-hairline px-4 py-2 text-sm text-kumo-subtle">
          Only the beginning is shown.
          <Button size="sm" onClick={() => setWhole(true)}>
            Show all
          </Button>
        </div>
      )}
    </Card>
  );
}

const HiddenCard = ({ title }: { title: string }) => (
  <Card title={title}>
    <p className="text-kumo-subtle">Hidden: to see payloads is a right of its own, which an admin can give you.</p>
  </Card>
);

function Shown({ text, find, at }: { text: string; find: string; at: number }) {
  if (find !== "") return <FoundText text={text} find={find} at={at} />;
  return text.length >= SHOWN_CHARS ? text : <Coloured text={text} />;
}

const COLOURS: Record<Token["kind"], string> = {
  key: "text-kumo-info",
  string: "text-kumo-success",
  number: "text-kumo-warning",
  word: "text-kumo-warning",
  mark: "text-kumo-subtle",
};

const Coloured = ({ text }: { text: string }) =>
  tokensOf(text).map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name than their place
    <span key={index} className={COLOURS[token.kind]}>
      {token.text}
    </span>
  ));
