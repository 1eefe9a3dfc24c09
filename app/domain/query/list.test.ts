import { describe, expect, test } from "vitest";
import { jobsAddress } from "../addresses";
import { writeCursor } from "./cursor";
import { type JobList, queryOf, readJobList, refiltered } from "./list";
import { parseQuery } from "./parse";
import { writeQuery } from "./write";

const read = (query: string) => readJobList(new URLSearchParams(query));
const CURSOR = writeCursor({ walk: "older", id: "a", inclusive: false });
const BY_END = writeCursor({ walk: "older", id: "a", inclusive: false, at: 5 });

describe("the address of a list", () => {
  test.each<[string, JobList]>([
    ["q=kind%3Ademo", { kind: "demo" }],
    ["q=state%3Adead", { view: "dead" }],
    ["q=kind%3Aa%2Cb", { q: "kind:a,b" }],
    ["q=-kind%3Aa", { q: "-kind:a" }],
    ["view=dead&q=boom", { view: "dead", q: "boom" }],
    ["view=dead&q=state%3Adone", { view: "done" }],
    ["kind=a&q=kind%3Ab", { kind: "b" }],
    ["kind=a&q=-kind%3Ab", { kind: "a", q: "-kind:b" }],
    ["q=cause%3Ax", { view: "dead", cause: "x" }],
    ["q=priority%3Ahigh&q=boom", { q: "priority:high boom" }],
    ["q=+++", {}],
    ["q=%2525", { q: "%25" }],
    [
      `view=done&sort=finished&order=oldest&cursor=${BY_END}`,
      { view: "done", sort: "finished", order: "oldest", cursor: BY_END },
    ],
    [`cursor=${BY_END}`, {}],
    [`sort=finished&cursor=${CURSOR}`, { sort: "finished" }],
    ["columns=when,id,nonsense", { columns: "when,id" }],
    ["columns=when,tries,kind,state", {}],
    ["columns=none", { columns: "none" }],
  ])("%s is read, and written back without what goes without saying", (query, list) => {
    expect(read(query)).toEqual({ list, problems: [] });
    expect(read(jobsAddress(list).replace(/^\/jobs\??/, ""))).toEqual({ list, problems: [] });
  });

  test("what it does not know is left out, and said", () => {
    const { list, problems } = read("view=dead&q=state%3Anonsense+priority%3Ahigh&kind=");
    expect(list).toEqual({ view: "dead", q: "priority:high" });
    expect(problems).toEqual([expect.stringContaining("no state “nonsense”")]);
  });

  test("the box holds all that the list filters by, and what is changed there keeps how it looks", () => {
    const list = { view: "dead", kind: "demo", q: "priority:high it broke", columns: "id", cursor: CURSOR } as const;
    expect(writeQuery(queryOf(list))).toBe("state:dead kind:demo priority:high it broke");
    expect(refiltered(list, parseQuery("kind:a,b"))).toEqual({ q: "kind:a,b", columns: "id" });
  });
});
