import { type MailView, mailHtmlAddress } from "~/domain/mail/mail";
import { CopyButton } from "../ui/copy_button";
import { ScrollText } from "../ui/scroll_text";
import { Table, Td, Th, Tr } from "../ui/table";

/** What one view shows: `text` of the text or the source, `fields` of the headers. HTML is fetched by its frame. */
export type Shown = { view: MailView; text: string | null; fields: [name: string, value: string][] };

export function MailBody({ id, shown, hasHtml }: { id: number; shown: Shown; hasHtml: boolean }) {
  if (shown.view === "html") return hasHtml ? <HtmlFrame id={id} /> : <None>This mail has no HTML.</None>;
  if (shown.view === "headers") return <Fields fields={shown.fields} />;
  if (shown.text === null) return <None>This mail has no text.</None>;
  return shown.view === "text" ? (
    <div className="p-4 text-base whitespace-pre-wrap wrap-anywhere">{shown.text}</div>
  ) : (
    <>
      <div className="flex justify-end border-b border-kumo-hairline px-2 py-1">
        <CopyButton text={shown.text} what="source" />
      </div>
      <ScrollText label="Source" className="max-h-160 p-4 text-sm leading-5">
        {shown.text}
      </ScrollText>
    </>
  );
}

/**
 * Whoever may send mail writes this HTML, so it gets a document of its own, with a policy that lets nothing run and nothing
 * load. The sandbox says it once more. Links open elsewhere: trying them is what a mailbox is for.
 */
const HtmlFrame = ({ id }: { id: number }) => (
  <>
    <p className="border-b border-kumo-hairline px-4 py-2 text-sm text-kumo-subtle">
      Scripts do not run and nothing is loaded from elsewhere: remote pictures stay away.
    </p>
    <iframe
      title="HTML of the mail"
      src={mailHtmlAddress(id)}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      className="block h-160 w-full bg-white"
    />
  </>
);

const Fields = ({ fields }: { fields: Shown["fields"] }) => (
  <Table label="Headers">
    <thead>
      <tr>
        <Th className="w-48">Header</Th>
        <Th>Value</Th>
      </tr>
    </thead>
    <tbody>
      {fields.map(([name, value]) => (
        <Tr key={name}>
          <Td className="w-48 font-medium">{name}</Td>
          <Td className="wrap-anywhere">{value}</Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const None = ({ children }: { children: string }) => <p className="p-4 text-base text-kumo-subtle">{children}</p>;
