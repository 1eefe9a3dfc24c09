import { Link } from "react-router";
import { MAIL_VIEWS, type MailView, mailAddress } from "~/domain/mail/mail";

/** The ways to look at a mail, as links: each has its address. */
export const MailTabs = ({ id, view, without }: { id: number; view: MailView; without: MailView[] }) => (
  <nav aria-label="Views of the mail" className="overflow-x-auto">
    <ul className="flex w-max min-w-full gap-1 border-b border-kumo-line px-2">
      {Object.entries(MAIL_VIEWS).map(([name, label]) => (
        <li key={name}>
          <Link
            to={mailAddress(id, name as MailView)}
            replace
            preventScrollReset
            aria-current={name === view ? "page" : undefined}
            className={`-mb-px flex h-10 items-center gap-1.5 border-b-2 px-2.5 text-base whitespace-nowrap no-underline focus-visible:-outline-offset-2 ${
              name === view
                ? "border-kumo-brand font-medium text-kumo-strong"
                : "border-transparent text-kumo-subtle hover:text-kumo-default"
            }`}
          >
            {label}
            {without.includes(name as MailView) && <span className="text-sm text-kumo-subtle">none</span>}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
