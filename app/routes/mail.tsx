import { data } from "react-router";
import { appContext } from "~/cloudflare";
import { MailBody } from "~/components/mail/mail_body";
import { MailTabs } from "~/components/mail/mail_tabs";
import { ExactTime } from "~/components/time/time";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text_link";
import { jobAddress } from "~/domain/addresses";
import { bytesText } from "~/domain/format";
import { type Person, personText } from "~/domain/mail/email";
import { type MailContent, mailboxAddress, mailNumber, mailViewOf } from "~/domain/mail/mail";
import { mimeOf } from "~/domain/mail/mime";
import { readMail } from "~/store/reads/mailbox";
import type { Route } from "./+types/mail";
import { reading } from "./support/read.server";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `${loaderData.mail.subject} · Redrive` : "No such mail · Redrive" },
];

/** Only what the chosen view shows is sent to the browser. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const id = mailNumber(params.id);
  const found = id === null ? null : await reading(app, "mail", () => readMail(app.engine.store, id));
  if (!found) throw data({ reason: "no-such-mail" }, { status: 404 });
  const { text, html, headers: _, ...mail } = found;
  const view = mailViewOf(new URL(request.url).searchParams.get("view"), found);
  const shown = {
    view,
    text: view === "text" ? text : view === "source" ? mimeOf(found) : null,
    fields: view === "headers" ? fieldsOf(found) : [],
  };
  return { mail, shown, hasText: text !== null, hasHtml: html !== null };
}

function fieldsOf({ from, to, cc, replyTo, subject, headers, key }: MailContent): [string, string][] {
  const fields: [string, string][] = [
    ["From", personText(from)],
    ["To", peopleText(to)],
    ["Cc", peopleText(cc)],
    ["Reply-To", replyTo ? personText(replyTo) : ""],
    ["Subject", subject],
    ...Object.entries(headers),
    ["Idempotency key, not a header", key],
  ];
  return fields.filter(([, value]) => value !== "");
}

const peopleText = (people: Person[]): string => people.map(personText).join(", ");

export default function Mail({ loaderData }: Route.ComponentProps) {
  const { mail, shown, hasText, hasHtml } = loaderData;
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-2 text-sm">
        <TextLink to={mailboxAddress()}>Mail</TextLink>
      </nav>
      <h1 className="text-xl leading-8 font-semibold tracking-tight text-kumo-strong wrap-anywhere">{mail.subject}</h1>
      <Card>
        <dl className="grid gap-x-6 gap-y-2 text-base sm:grid-cols-[6rem_minmax(0,1fr)]">
          <Row name="From">{personText(mail.from)}</Row>
          <Row name="To">{peopleText(mail.to)}</Row>
          {mail.cc.length > 0 && <Row name="Cc">{peopleText(mail.cc)}</Row>}
          {mail.replyTo && <Row name="Reply to">{personText(mail.replyTo)}</Row>}
          <Row name="When">
            <ExactTime at={mail.at} />
          </Row>
          <Row name="Sent by">
            <TextLink to={jobAddress(mail.jobId)}>
              the job <span className="font-mono text-sm">{mail.jobId}</span>
            </TextLink>
          </Row>
          {mail.attachments.length > 0 && (
            <Row name="Attached">
              <ul>
                {mail.attachments.map(({ filename, contentType, size, key }) => (
                  <li key={`${key} ${filename}`}>
                    {filename}{" "}
                    <span className="text-sm text-kumo-subtle">
                      {contentType}, {bytesText(size)}, in R2 as {key}
                    </span>
                  </li>
                ))}
              </ul>
            </Row>
          )}
        </dl>
      </Card>
      <Card flush>
        <MailTabs
          id={mail.id}
          view={shown.view}
          without={[...(hasText ? [] : ["text" as const]), ...(hasHtml ? [] : ["html" as const])]}
        />
        <MailBody id={mail.id} shown={shown} hasHtml={hasHtml} />
      </Card>
    </>
  );
}

const Row = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <>
    <dt className="text-sm text-kumo-subtle sm:leading-6">{name}</dt>
    <dd className="mb-1 min-w-0 wrap-anywhere sm:mb-0">{children}</dd>
  </>
);
