import { expect, test } from "vitest";
import { environmentOf } from "./environment";

test("production is red, and no other name is", () => {
  for (const name of ["production", "Production", "prod"])
    expect(environmentOf(name)).toEqual({ name, tone: "danger" });
  for (const name of ["staging", "preview", "test", "preproduction", "eu-2"]) {
    expect(environmentOf(name)?.tone).not.toBe("danger");
    expect(environmentOf(name)).toEqual(environmentOf(` ${name} `));
  }
});

test("a deployment without a name has no badge, and a long name is cut", () => {
  expect([environmentOf(undefined), environmentOf("  ")]).toEqual([null, null]);
  expect(environmentOf("x".repeat(100))?.name).toHaveLength(24);
});
