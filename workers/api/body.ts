import { z } from "@hono/zod-openapi";
import { readBytes } from "~/domain/body";
import { ACTION_BYTES, REASON_CHARS } from "~/domain/limits";
import { PROBLEM_TYPE, type ProblemDocument, problem, problemOf } from "~/domain/problem";
import { parseJson, problemsOf } from "~/domain/submission";

/** The text of a JSON body, or the problem with it. */
export async function readText(request: Request, cap: number): Promise<string | ProblemDocument> {
  const bytes = await readBytes(request, cap);
  if (bytes === null) {
    const message = `the body is over ${cap} bytes`;
    return problem(413, "too-large-call", message, { errors: [{ path: "", message, limit: cap }] });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return problem(400, "malformed", "the body is not UTF-8", {
      errors: [{ path: "", message: "the body is not UTF-8" }],
    });
  }
}

/** The body of an action that takes nothing but why. */
export const REASON = z.strictObject({ reason: z.string().trim().max(REASON_CHARS).optional() });

/** What `readAction` answers of a body by its size and type, for the API's document. */
export const ACTION_PROBLEMS = {
  413: `the body is over ${ACTION_BYTES} bytes`,
  415: "the body is not application/json",
};

/** The body of an action, or the problem with it. None at all is taken for {}. */
export async function readAction<S extends z.ZodType>(
  request: Request,
  schema: S,
  cap = ACTION_BYTES,
): Promise<z.output<S> | ProblemDocument> {
  const text = await readText(request, cap);
  if (isProblem(text)) return text;
  const wrongType = text === "" ? null : typeProblem(request);
  if (wrongType) return wrongType;
  const value = parseJson(text === "" ? "{}" : text);
  if (!value.ok) return problemOf(value.rejection);
  const parsed = schema.safeParse(value.json);
  return parsed.success ? parsed.data : problemOf({ status: 400, code: "invalid", problems: problemsOf(parsed.error) });
}

/** JSON only: a form of another site can send text/plain, but not this. */
export function typeProblem(request: Request): ProblemDocument | null {
  const [type = "", ...parameters] = (request.headers.get("content-type") ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset =
    parameters
      .find((parameter) => parameter.startsWith("charset="))
      ?.slice(8)
      .replaceAll('"', "") ?? "utf-8";
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (type === "application/json" && charset === "utf-8" && encoding === "identity") return null;
  return problem(415, "unsupported-media-type", "send application/json in UTF-8, not compressed");
}

export const isProblem = (value: unknown): value is ProblemDocument =>
  typeof value === "object" && value !== null && "status" in value && "code" in value && "title" in value;

export const problemResponse = (document: ProblemDocument, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(document), {
    status: document.status,
    headers: { "Content-Type": PROBLEM_TYPE, "Cache-Control": "no-store", ...headers },
  });
