import { PaperclipIcon } from "@phosphor-icons/react/dist/ssr/Paperclip";
import { plural } from "~/domain/format";
import { type Person, personText } from "~/domain/mail/email";
import { type MailRow, mailAddress } from "~/domain/mail/mail";
import { Time } from "../time/time";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";

/** Mails as rows. On a phone who gets it stands below the subject. */
export const MailsTable = ({ mails }: { mails: MailRow[] }) => (
  <Table label="Mails">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th>Subject</Th>
        <Th className="w-72">To</Th>
        <Th className="w-36">When</Th>
      </tr>
    </thead>
    <tbody>
      {mails.map((mail) => (
        <Tr key={mail.id} className="hover:bg-kumo-elevated">
          <Td className="max-w-0">
            <span className="flex min-w-0 items-center gap-1.5">
              <TextLink
                to={mailAddress(mail.id)}
                className="truncate font-medium text-kumo-default! no-underline! hover:text-kumo-link! hover:underline!"
              >
                {mail.subject}
              </TextLink>
              {mail.attachments > 0 && (
                <span className="shrink-0 text-kumo-subtle" title={plural(mail.attachments, "attachment")}>
                  <PaperclipIcon aria-hidden="true" />
                  <span className="sr-only">{plural(mail.attachments, "attachment")}</span>
                </span>
              )}
            </span>
            <span className="flex flex-wrap gap-x-2 text-sm text-kumo-subtle sm:hidden">
              <span className="wrap-anywhere">{recipientsText(mail)}</span>
              <Time at={mail.at} />
            </span>
          </Td>
          <Td className="hidden w-72 max-w-72 truncate text-kumo-subtle sm:table-cell" title={allOf(mail)}>
            {recipientsText(mail)}
          </Td>
          <Td className="hidden w-36 tabular-nums sm:table-cell">
            <Time at={mail.at} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const allOf = ({ to, cc }: MailRow): string => [...to, ...cc].map(personText).join(", ");

function recipientsText({ to, cc }: MailRow): string {
  const others = to.length + cc.length - 1;
  const [first] = to as [Person];
  return others > 0 ? `${first.email} and ${others} more` : first.email;
}
