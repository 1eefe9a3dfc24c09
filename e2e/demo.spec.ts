import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";

const api = new Api(process.env.REDRIVE_URL as string);

test("a job that was submitted runs, and its page says so", async ({ page }) => {
  const id = await api.submit({ kind: "demo", payload: {} });
  const job = await api.until(id, "done");
  expect(job).toMatchObject({ kind: "demo", attempt: 1, result: { attempt: 1 }, refusals: [] });
  expect(job.attempts).toMatchObject([{ number: 1, outcome: "done", trigger: "first" }]);
  await page.goto(`/jobs/${id}`);
  await expect(page.getByRole("main")).toContainText(id);
  await expect(page.getByRole("main")).toContainText(/done/i);
});

test("a job that does not exist has no page", async ({ page, allow }) => {
  allow(/status of 404/);
  const response = await page.goto("/jobs/01890000-0000-7000-8000-000000000000");
  expect(response?.status()).toBe(404);
});

test("no page breaks the content policy", async ({ page }) => {
  const id = await api.submit({ kind: "demo", payload: { permanent: true } });
  await api.until(id, "dead");
  for (const path of ["/", "/jobs", "/jobs?view=dead", `/jobs/${id}`, "/dead", "/submit"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    const nonce = /'nonce-([^']+)'/.exec(response?.headers()["content-security-policy"] ?? "")?.[1];
    const scripts = await page
      .locator("script")
      .evaluateAll((all) => all.map((script) => (script as HTMLElement).nonce));
    expect(scripts.filter((found) => found !== nonce)).toEqual([]);
    await page.waitForLoadState("networkidle");
  }
});
