import { describe, expect, test } from "vitest";
import { actionsFor, entriesFor } from "./palette";

const ID = "019ad959-2a80-7000-8000-000000000001";
const names = (typed: string, there: (selector: string) => boolean = () => false) =>
  entriesFor(typed, ["demo", "send_email"], true, there, () => true).map(({ name }) => name);

describe("what can be jumped to", () => {
  test("a page, by any of its letters; each word must be there", () => {
    expect(names("sche")[0]).toBe("Schedules");
    expect(names("dead demo")).toEqual(["Dead jobs of demo", "Search jobs for “dead demo”"]);
    expect(names("zzz")).toEqual(["Search jobs for “zzz”"]);
    expect(names("")[0]).toBe("Overview");
  });

  test("a job by its id, whatever surrounds it", () => {
    expect(
      entriesFor(
        ` ${ID.toUpperCase()} `,
        [],
        true,
        () => false,
        () => true,
      )[0],
    ).toEqual({
      name: `Open job ${ID}`,
      of: "job",
      act: { to: `/jobs/${ID}` },
    });
    expect(names(ID.slice(0, -1))).toEqual([`Search jobs for “${ID.slice(0, -1)}”`]);
  });

  test("an action on the page, only where the page has it", () => {
    expect(names("requeue")).toEqual(["Search jobs for “requeue”"]);
    expect(names("requeue", () => true)[0]).toBe("Requeue this job");
  });

  test("mail, only where there is a mailbox", () => {
    expect(
      entriesFor(
        "mail",
        [],
        false,
        () => false,
        () => true,
      ).map(({ name }) => name),
    ).toEqual(["Search jobs for “mail”"]);
  });

  test("no page that the door would refuse", () => {
    const open = (to: string) => !to.startsWith("/submit");
    const found = (typed: string) => entriesFor(typed, ["demo"], true, () => false, open).map(({ name }) => name);
    expect(found("submit")).toEqual(["Search jobs for “submit”"]);
    expect(found("jobs of demo")).toContain("Jobs of demo");
  });

  test("of the buttons of a page those that fit, each by its place among all", () => {
    const buttons = ["Requeue", "Cancel", "Edit and run"];
    expect(actionsFor("", buttons).map(({ name }) => name)).toEqual(buttons);
    expect(actionsFor(" RUN edit", buttons)).toEqual([{ name: "Edit and run", of: "action", act: { found: 2 } }]);
    expect(actionsFor("delete", buttons)).toEqual([]);
  });
});
