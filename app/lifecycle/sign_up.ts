import { sameEmail } from "~/domain/mail/email";
import type { SignupForm } from "~/domain/signup";
import { addSignup } from "~/store/signups";
import type { Engine } from "./engine";
import { submit } from "./submit";
import { insist } from "./trouble/insist";

export type SignedUp = { jobId: string; replayed: boolean };

/**
 * The example of a business action: one row, one job, one mail. The row comes first, since the job names it. Should the
 * Worker die between the two, nobody was told 202: whoever sends the form again finds the row, and the same key then makes
 * the job that is missing, or finds the one that is there. A job first would run into a row that is not there yet and
 * die; a job without a row would greet nobody.
 */
export async function signUp(engine: Engine, { email, name }: SignupForm): Promise<SignedUp> {
  const same = sameEmail(email);
  const row = { id: engine.newId(), email, name };
  const signupId = await insist(engine, "sign up", () => addSignup(engine.store, row, same));
  await engine.seam("sign up: between row and job");

  // The key is the business action's: the same address twice is one mail. It stands for another request only where the
  // row was deleted and the address signed up anew: that is another action, with a key of its own.
  for (const key of [`welcome-email:${same}`, `welcome-email:${signupId}`]) {
    const payload = { signupId };
    const submission = {
      kind: "welcome_email",
      payload,
      payloadText: JSON.stringify(payload),
      idempotencyKey: key,
    };
    const done = await submit(engine, [submission]);
    if (done.kind === "accepted")
      return { jobId: done.jobs[0]?.id as string, replayed: done.jobs[0]?.replayed ?? false };
    if (done.kind !== "conflict") throw new TypeError(`a welcome mail was refused: ${JSON.stringify(done)}`);
  }
  throw new TypeError(`the sign-up ${signupId} has a job that asks for something else`);
}
