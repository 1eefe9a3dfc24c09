import { simulate } from "./simulate";

/** Simulates the seeds that it is asked for, one after the other. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response();
    const { seeds, cut } = (await request.json()) as { seeds: number[]; cut?: string };
    const results = [];
    for (const seed of seeds) results.push(await simulate(seed, cut));
    return Response.json(results);
  },
};
