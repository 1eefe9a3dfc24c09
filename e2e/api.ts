import { expect } from "@playwright/test";

export type Job = {
  id: string;
  kind: string;
  state: string;
  attempt: number;
  result: unknown;
  lastError: string | null;
  attempts: { number: number; outcome: string; trigger: string; generation: number }[];
  refusals: { number: number }[];
};

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

  async job(id: string): Promise<Job> {
    const response = await this.call("GET", `/jobs/${id}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Job;
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
