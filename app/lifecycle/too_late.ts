import { expiryProblem, type Problem, type Submission } from "~/domain/submission";
import { type NewJob, readHolders } from "~/store/insert_jobs";
import type { Engine } from "./engine";
import { insist } from "./trouble/insist";

/** Jobs that could never be started in time; what was taken in time is answered for good, however late it is asked for again. */
export async function tooLate(engine: Engine, submissions: Submission[], jobs: NewJob[]): Promise<Problem[]> {
  const now = engine.localNow();
  const late = submissions.flatMap((one, index) => {
    const problem = expiryProblem(one, now);
    return problem ? [{ problem, job: jobs[index] as NewJob }] : [];
  });
  const keyed = late.flatMap(({ job }) => (job.key === null ? [] : [job]));
  if (keyed.length === 0) return late.map(({ problem }) => problem);
  const holders = await insist(engine, "submit", () => readHolders(engine.store, keyed));
  const taken = new Set(holders.map(({ key }) => key));
  return late.filter(({ job }) => job.key === null || !taken.has(job.key)).map(({ problem }) => problem);
}
