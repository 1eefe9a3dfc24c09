import { expect, test } from "vitest";
import { formKey, givenKey, isOwnKey } from "./own_keys";

const ID = "019ad959-2a80-7000-8000-000000000001";

test("a key that somebody gave is told, one that this deployment made is not", () => {
  for (const key of [null, formKey(ID), `bulk:${ID}`, `watch/${ID}/1`, `file:${ID}`, `${ID}/part/50`])
    expect([key, givenKey(key)]).toEqual([key, null]);
  for (const key of ["welcome-email:42", "form:contact", `form:${ID}-2`, `my form:${ID}`, ID])
    expect([key, givenKey(key)]).toEqual([key, key]);
});

test("a form's key is nobody's to refuse: the form is submitted as any call is", () => {
  expect(isOwnKey(formKey(ID))).toBe(false);
  expect(isOwnKey(`schedule:${ID}`)).toBe(true);
});
