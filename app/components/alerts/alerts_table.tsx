import { jobAddress } from "~/domain/addresses";
import { NOTICE_TYPES } from "~/domain/alerts/alerts";
import type { AlertRow, NoticeShown } from "~/domain/alerts/feeds";
import { aboutAlert } from "~/domain/alerts/words";
import { CHANNEL_LABELS } from "~/domain/channels";
import { count, duration, plural } from "~/domain/format";
import { Time } from "../time/time";
import { StateBadge } from "../ui/state_badge";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";
import { TEXT } from "../ui/tone";

/** What rules raised, newest first: what it was about, and each notice with the job that told it. */
export const AlertsTable = ({ alerts }: { alerts: AlertRow[] }) => (
  <Table label="Alerts">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th>Alert</Th>
        <Th className="w-2/5">Told</Th>
      </tr>
    </thead>
    <tbody>
      {alerts.map((alert) => (
        <Tr key={alert.id} data-alert={alert.id}>
          <Td className="max-w-0">
            <About alert={alert} />
            <div className="mt-2 sm:hidden">
              <Notices notices={alert.notices} />
            </div>
          </Td>
          <Td className="hidden w-2/5 max-w-0 sm:table-cell">
            <Notices notices={alert.notices} />
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

function About({ alert }: { alert: AlertRow }) {
  const { ruleName, openedAt, clearedAt, n, example, notices } = alert;
  const { text, to } = aboutAlert(alert);
  const test = notices[0]?.type === "test";
  const lasted = clearedAt === null ? 0 : Date.parse(clearedAt) - Date.parse(openedAt);
  return (
    <div className="flex flex-col gap-0.5 wrap-anywhere">
      <span className="font-medium">{to ? <TextLink to={to}>{text}</TextLink> : text}</span>
      <span className="text-sm text-kumo-subtle">
        {ruleName} · <Time at={openedAt} />
        {!test && ` · ${count(n)} when last told`}
      </span>
      {test ? (
        <span className="text-sm text-kumo-info">A test</span>
      ) : clearedAt === null ? (
        <span className="text-sm font-medium text-kumo-danger">Open</span>
      ) : (
        <span className="text-sm text-kumo-success">Over after {duration(lasted)}</span>
      )}
      {example && (
        <TextLink to={jobAddress(example)} className="text-sm">
          An example
        </TextLink>
      )}
    </div>
  );
}

const Notices = ({ notices }: { notices: NoticeShown[] }) => (
  <ul className="flex flex-col gap-1.5 text-sm">
    {notices.map((notice) => (
      <li key={`${notice.number} ${notice.channel}`} className="flex flex-col wrap-anywhere">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className={`font-medium ${TEXT[NOTICE_TYPES[notice.type].tone]}`}>
            {NOTICE_TYPES[notice.type].label}
          </span>
          <Time at={notice.at} />
          <Way notice={notice} />
        </span>
        {notice.error && notice.view !== "done" && <span className="text-kumo-danger">{notice.error}</span>}
      </li>
    ))}
  </ul>
);

function Way({ notice: { channel, target, jobId, view, tries } }: { notice: NoticeShown }) {
  if (channel === null) return <span className="text-kumo-subtle">told nobody: the rule had no channel</span>;
  const name = `${CHANNEL_LABELS[channel]} ${target}`;
  if (jobId === null) return <span className="text-kumo-danger">{name}: not sent</span>;
  return (
    <>
      <TextLink to={jobAddress(jobId)}>{name}</TextLink>
      {view && <StateBadge view={view} />}
      {tries !== null && tries > 1 && <span className="text-kumo-subtle">{plural(tries, "try", "tries")}</span>}
    </>
  );
}
