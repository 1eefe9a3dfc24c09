import { simulate } from "./simulate";

/** Simulates the seeds that it is asked for, one after the other. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response();
    const { from, to, cut } = (await request.json()) as { from: number; to: number; cut?: string };
    const results = [];
    for (let seed = from; seed < to; seed++) {
      const result = await simulate(seed, cut);
      results.push(result);
      // A guard that is cut is caught by its first.
      if (cut !== undefined && result.violations.length > 0) break;
    }
    return Response.json(results);
  },
};
