import { z } from "zod";
import { defineKind, type JobContext, type Kind, type KindDefinition } from "~/kinds/define";

/** A kind for one test: takes any payload, is quick, and does `run`. `rest`: what else the test is about. */
export const kindOf = (
  name: string,
  run: (ctx: JobContext) => Promise<unknown>,
  rest: Partial<KindDefinition> = {},
): Kind =>
  defineKind({
    name,
    title: name,
    description: name,
    input: z.looseObject({}),
    usualMs: 10,
    timeoutMs: 30_000,
    run: (_input: unknown, ctx: JobContext) => run(ctx),
    ...rest,
  } as never);
