import { expect } from "@playwright/test";

export type JobRow = {
  id: string;
  kind: string;
  state: string;
  view: string;
  label: string | null;
  attempt: number;
  createdAt: string;
  finishedAt: string | null;
  cause: string | null;
};
export type Job = JobRow & {
  held: { by: string } | null;
  generation: number;
  payloadText: string;
  result: unknown;
  lastError: string | null;
  attempts: {
    number: number;
    outcome: string;
    trigger: string;
    generation: number;
    waitedMs: number;
    ranMs: number;
  }[];
  refusals: { number: number }[];
  audit: { actor: string; action: string }[];
};
export const VIEWS = ["scheduled", "pending", "retrying", "processing", "done", "dead", "cancelled"] as const;
/** How many jobs are in each view. */
export type Counts = Record<(typeof VIEWS)[number], number>;

/** The HTTP API as a program uses it. */
export class Api {
  readonly url: string;
  readonly headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.url = url;
    this.headers = headers;
  }

  call(method: string, path: string, body?: unknown): Promise<Response> {
    const url = `${this.url}/api/v1${path}`;
    if (body === undefined) return fetch(url, { method, redirect: "manual", headers: this.headers });
    const headers = { "Content-Type": "application/json", ...this.headers };
    return fetch(url, { method, redirect: "manual", headers, body: JSON.stringify(body) });
  }

  async submit(job: object): Promise<string> {
    const response = await this.call("POST", "/jobs", job);
    const body = (await response.json()) as { id: string };
    expect(response.status, JSON.stringify(body)).toBe(202);
    return body.id;
  }

  /** Up to 1,000 in one call. */
  async submitAll(jobs: object[]): Promise<string[]> {
    const response = await this.call("POST", "/jobs", jobs);
    const body = (await response.json()) as { ids: string[] };
    expect(response.status, JSON.stringify(body)).toBe(202);
    return body.ids;
  }

  /** The same of a text: what stands in it is sent as it stands. */
  async submitText(jobs: string): Promise<string[]> {
    const headers = { "Content-Type": "application/json", ...this.headers };
    const response = await fetch(`${this.url}/api/v1/jobs`, { method: "POST", headers, body: jobs });
    const body = (await response.json()) as { ids: string[] };
    expect(response.status, JSON.stringify(body)).toBe(202);
    return body.ids;
  }

  async job(id: string): Promise<Job> {
    const response = await this.call("GET", `/jobs/${id}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Job;
  }

  /** Of one kind, or of all. */
  async counts(kind?: string): Promise<Counts> {
    const stats = (await (await this.call("GET", "/stats")).json()) as {
      counts: Counts;
      kinds: { kind: string; counts: Counts }[];
    };
    return (kind ? stats.kinds.find((one) => one.kind === kind)?.counts : stats.counts) ?? tally([]);
  }

  /** The same by walking the list to its end. */
  async recount(): Promise<Counts> {
    return tally(await this.list());
  }

  /** Every job of a list, page after page. */
  async list(filter: Record<string, string> = {}): Promise<JobRow[]> {
    const jobs: JobRow[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query = new URLSearchParams({ ...filter, limit: "100", ...(cursor && { cursor }) });
      const response = await this.call("GET", `/jobs?${query}`);
      const page = (await response.json()) as { jobs: JobRow[]; next: string | null };
      expect(response.status, JSON.stringify(page)).toBe(200);
      jobs.push(...page.jobs);
      cursor = page.next;
    }
    return jobs;
  }

  /** Looks until the job is in one of `states`, and gives it. */
  async until(id: string, states: string | string[], timeout = 30_000): Promise<Job> {
    let job = await this.job(id);
    const look = async () => {
      job = await this.job(id);
      return job.state;
    };
    const wanted = new RegExp(`^(${[states].flat().join("|")})$`);
    await expect.poll(look, { timeout, intervals: [50, 100, 250], message: `the state of job ${id}` }).toMatch(wanted);
    return job;
  }
}

function tally(jobs: JobRow[]): Counts {
  const of = (view: string) => jobs.filter((job) => job.view === view).length;
  return Object.fromEntries(VIEWS.map((view) => [view, of(view)])) as Counts;
}
