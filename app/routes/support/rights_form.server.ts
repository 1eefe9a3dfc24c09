import type { Rights } from "~/domain/people/roles";

/** As a form says them; what is no role is found out by whoever reads it. */
export const rightsIn = (form: FormData): Rights => ({
  role: String(form.get("role") ?? "") as Rights["role"],
  payloads: form.get("payloads") === "on",
});
