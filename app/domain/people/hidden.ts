import type { LetterPage } from "../dead/letters";
import type { AttemptRow, JobDetail } from "../feeds";
import type { Person } from "../mail/email";
import type { MailRow } from "../mail/mail";
import type { ScheduleDetail } from "../schedules/feeds";
import { type KnownKinds, MASK } from "../secrets";
import type { DeliveryRow, EndpointDetail } from "../webhooks/webhooks";

/** For whom something is read: the kinds that the running release knows, and whether payloads may be shown. */
export type Reader = { known: KnownKinds; payloads: boolean };

const PAYLOAD = { payload: MASK, payloadText: JSON.stringify(MASK) };
const orNull = <T>(value: T): typeof MASK | null => (value === null ? null : MASK);

/**
 * What is left of a job for whoever may not see payloads: what went in, what came out, and what its handler wrote and was
 * answered is not. Label, progress and errors are, since kinds make them for lists.
 */
export const jobWithoutPayload = (job: JobDetail): JobDetail => ({
  ...job,
  ...PAYLOAD,
  result: orNull(job.result),
  attempts: job.attempts.map(attemptWithoutLog),
  effects: job.effects.map((effect) => ({ ...effect, result: orNull(effect.result) })),
  fanout: job.fanout && { ...job.fanout, deliveries: job.fanout.deliveries.map(withoutAnswer) },
});

export const attemptWithoutLog = (attempt: AttemptRow): AttemptRow => ({ ...attempt, log: orNull(attempt.log) });

export const scheduleWithoutPayload = (schedule: ScheduleDetail): ScheduleDetail => ({ ...schedule, ...PAYLOAD });

export const endpointWithoutPayloads = (endpoint: EndpointDetail): EndpointDetail => ({
  ...endpoint,
  deliveries: endpoint.deliveries.map(withoutAnswer),
});

/**
 * A mail in a list. Whom it goes to and what it is about is of the payload, but for what the label of its job tells everybody.
 */
export function mailWithoutPayload(mail: MailRow, label: string | null): MailRow {
  const told = (text: string) => (label?.includes(text) ? text : MASK);
  const person = ({ email }: Person): Person => ({ email: told(email) });
  return {
    ...mail,
    from: person(mail.from),
    to: mail.to.map(person),
    cc: mail.cc.map(person),
    subject: told(mail.subject),
  };
}

/** A message that is none of ours may hold anything. */
export const lettersWithoutBodies = (page: LetterPage): LetterPage => ({
  ...page,
  letters: page.letters.map((letter) => ({ ...letter, body: MASK })),
});

const withoutAnswer = <T extends DeliveryRow>(delivery: T): T => ({ ...delivery, answer: orNull(delivery.answer) });
