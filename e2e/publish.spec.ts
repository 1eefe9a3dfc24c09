import { expect, test } from "./fixtures.ts";
import { Twins } from "./twins.ts";

const DAY_MS = 86_400_000;
const dayBefore = (n: number) => new Date(Date.now() - n * DAY_MS).toISOString().slice(0, 10);

test("two deployments of one database, ticking at the same instant, twenty times: each day is published once", async () => {
  const twins = await Twins.start();
  try {
    const all = async (text: string, ...params: unknown[]) =>
      (
        await twins.db
          .prepare(text)
          .bind(...params)
          .all<Record<string, unknown>>()
      ).results;
    const ended = (jobs: number) =>
      expect
        .poll(() => all("SELECT count(*) AS n FROM jobs WHERE kind = 'publish_report' AND state = 'done'"), {
          timeout: 60_000,
        })
        .toEqual([{ n: jobs }]);
    const ledger = () =>
      all(`SELECT count(*) AS reports, sum(version = 1) AS first, sum(picture IS NOT NULL) AS pictures,
             (SELECT publication_revision FROM site_state) AS revision FROM publications`);

    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const schedule = (id: string, day: string) =>
      all(
        `INSERT INTO schedules (id, name, every_minutes, anchor_at, time_zone, kind, priority, missed, missed_max, overlap, version, due_at, created_at, updated_at, payload)
         VALUES (?1, ?1, 525600, ?2, 'UTC', 'publish_report', 'normal', 'once', 100, 'allow', 1, ?2, 0, 0, ?3)`,
        id,
        minute,
        JSON.stringify({ day }),
      );
    for (let round = 1; round <= 20; round++) {
      await schedule(`day-${round}`, dayBefore(round));
      await twins.tick();
    }
    await ended(20);
    const published = { reports: 20, first: 20, pictures: 20, revision: 20 };
    expect(await ledger()).toEqual([published]);

    // Twice more for a day that is published: nothing changes.
    for (let run = 1; run <= 2; run++) {
      await schedule(`again-${run}`, dayBefore(1));
      await twins.tick();
      await ended(20 + run);
    }
    expect(await ledger()).toEqual([published]);
    const page = await twins.page(`/reports/${dayBefore(1)}`);
    expect([page.status, page.html.includes(`Report of ${dayBefore(1)}`)]).toEqual([200, true]);
  } finally {
    await twins.stop();
  }
});
