import { describe, expect, test } from "vitest";
import type { App } from "~/cloudflare";
import { handleApi } from "../api";

const answer = await handleApi(new Request("https://redrive.example/api/v1/openapi.json"), {} as App);
// biome-ignore lint/suspicious/noExplicitAny: a JSON document is read.
const document = (await answer.json()) as any;

describe("the OpenAPI document", () => {
  test("names every call", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(
      Object.entries(document.paths as Record<string, object>).flatMap(([path, calls]) =>
        Object.keys(calls).map((method) => `${method} ${path}`),
      ),
    ).toEqual([
      "post /api/v1/jobs",
      "get /api/v1/jobs",
      "get /api/v1/jobs.csv",
      "get /api/v1/jobs.ndjson",
      "get /api/v1/jobs/{id}",
      "post /api/v1/jobs/{id}/requeue",
      "post /api/v1/jobs/{id}/cancel",
      "post /api/v1/bulk",
      "get /api/v1/bulk/count",
      "get /api/v1/operations",
      "get /api/v1/operations/{id}",
      "post /api/v1/operations/{id}/abort",
      "post /api/v1/operations/{id}/again",
      "get /api/v1/audit",
      "get /api/v1/kinds",
      "post /api/v1/kinds/{id}/pause",
      "post /api/v1/kinds/{id}/resume",
      "post /api/v1/kinds/{id}/limits",
      "get /api/v1/stats",
      "get /api/v1/overview",
      "get /api/v1/causes",
      "get /api/v1/causes/{id}",
      "get /api/v1/dead-letters",
      "post /api/v1/dead-letters/replay",
      "post /api/v1/dead-letters/replaying",
      "get /api/v1/retention",
      "put /api/v1/retention",
      "get /api/v1/submitters",
      "post /api/v1/submitters/{id}",
      "get /api/v1/mail",
      "post /api/v1/examples/signup",
      "get /api/v1/endpoints",
      "post /api/v1/endpoints",
      "get /api/v1/endpoints/{id}",
      "post /api/v1/endpoints/{id}/disable",
      "post /api/v1/endpoints/{id}/enable",
      "post /api/v1/endpoints/{id}/rotate",
      "post /api/v1/endpoints/{id}/delete",
      "post /api/v1/deliveries/{id}/resend",
      "get /api/v1/files",
      "post /api/v1/files",
      "get /api/v1/files/{id}",
      "put /api/v1/files/{id}/parts/{number}",
      "post /api/v1/files/{id}/complete",
      "post /api/v1/files/{id}/delete",
      "get /api/v1/schedules",
      "post /api/v1/schedules",
      "get /api/v1/schedules/{id}",
      "put /api/v1/schedules/{id}",
      "post /api/v1/schedules/{id}/pause",
      "post /api/v1/schedules/{id}/resume",
      "post /api/v1/schedules/{id}/run",
      "post /api/v1/schedules/{id}/delete",
      "get /api/v1/watches",
      "post /api/v1/watches",
      "get /api/v1/watches/{id}",
      "put /api/v1/watches/{id}",
      "post /api/v1/watches/{id}/pause",
      "post /api/v1/watches/{id}/resume",
      "post /api/v1/watches/{id}/check",
      "post /api/v1/watches/{id}/delete",
      "get /api/v1/alerts",
      "post /api/v1/alert-rules",
      "put /api/v1/alert-rules/{id}",
      "post /api/v1/alert-rules/{id}/enable",
      "post /api/v1/alert-rules/{id}/disable",
      "post /api/v1/alert-rules/{id}/test",
      "post /api/v1/alert-rules/{id}/delete",
      "get /api/v1/tokens",
      "post /api/v1/tokens",
      "post /api/v1/tokens/{id}/revoke",
      "get /api/v1/people",
      "put /api/v1/people/{id}",
      "post /api/v1/people/{id}/remove",
      "put /api/v1/default-role",
      "get /api/v1/health",
      "get /api/v1/openapi.json",
    ]);
  });

  test("tells the fields and limits of a submit", () => {
    const { Submission } = document.components.schemas;
    expect(Submission).toMatchObject({
      type: "object",
      required: ["kind", "payload"],
      additionalProperties: false,
      properties: {
        kind: { type: "string", minLength: 1, maxLength: 100 },
        idempotencyKey: { type: "string", minLength: 1, maxLength: 256 },
        delaySeconds: { type: "integer", minimum: 0, maximum: 31_622_400 },
        runAt: { type: "string", format: "date-time" },
        priority: { type: "string", enum: ["normal", "high"] },
        maxAttempts: { type: "integer", minimum: 1, maximum: 1000 },
      },
    });
    expect(Submission.properties.payload.description).toContain("262144 bytes");
    const { requestBody } = document.paths["/api/v1/jobs"].post;
    expect(requestBody.required).toBe(true);
    expect(requestBody.content["application/json"].schema.anyOf).toMatchObject([
      { $ref: "#/components/schemas/Submission" },
      { type: "array", minItems: 1, maxItems: 1000, items: { $ref: "#/components/schemas/Submission" } },
    ]);
  });

  test("tells the parameters of a list", () => {
    const parameters = document.paths["/api/v1/jobs"].get.parameters as {
      name: string;
      in: string;
      required?: boolean;
    }[];
    expect(parameters.map(({ name, in: where }) => `${where} ${name}`)).toEqual([
      "query view",
      "query state",
      "query kind",
      "query cause",
      "query q",
      "query sort",
      "query order",
      "query cursor",
      "query limit",
      "query since",
      "query brief",
      "header If-None-Match",
    ]);
    expect(parameters.find(({ name }) => name === "limit")).toMatchObject({
      schema: { type: "integer", minimum: 1, maximum: 100, default: 25 },
    });
    expect(parameters.every(({ required }) => !required)).toBe(true);
  });

  test("gives every error of every call as a problem document", () => {
    for (const calls of Object.values(
      document.paths as Record<
        string,
        Record<string, { responses: Record<string, { content?: Record<string, { schema: unknown }> }> }>
      >,
    )) {
      for (const { responses } of Object.values(calls)) {
        for (const [status, { content }] of Object.entries(responses)) {
          if (Number(status) < 400 || content?.["application/json"]) continue;
          expect(content).toEqual({ "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } });
        }
      }
    }
  });
});
