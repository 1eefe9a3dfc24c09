import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { pass } from "../bench/files.ts";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { badge, card, ready, shownJob } from "./pages.ts";
import { raw } from "./raw.ts";
import { Server } from "./server.ts";

const url = process.env.REDRIVE_URL as string;
const api = new Api(url);
const folder = mkdtempSync(join(tmpdir(), "redrive-files-"));
test.afterAll(() => rmSync(folder, { recursive: true }));

type Table = {
  rows: number;
  badLines: { count: number };
  derived: { rows: number; bytes: number; sha256: string };
};
type Result = { bytes: number; sha256: string; table: Table };

/** A CSV file of at least `bytes`, and what its NDJSON must be. */
async function csvFile(name: string, bytes: number) {
  const path = join(folder, name);
  const file = createWriteStream(path);
  const [digest, derived] = [createHash("sha256"), createHash("sha256")];
  let [rows, size, derivedBytes] = [0, 0, 0];
  const write = async (text: string) => {
    digest.update(text);
    size += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, "drain");
  };
  await write('id,"name, first",note\r\n');
  while (size < bytes) {
    let [source, lines] = ["", ""];
    for (const end = rows + 1_000; rows < end; rows++) {
      const note = rows % 10 === 0 ? `two\nlines "${rows}"` : `a note that makes the row longer, number ${rows}`;
      source += `${rows},Zoë ${rows},"${note.replaceAll('"', '""')}"\r\n`;
      lines += `${JSON.stringify({ id: String(rows), "name, first": `Zoë ${rows}`, note })}\n`;
    }
    await write(source);
    derived.update(lines);
    derivedBytes += Buffer.byteLength(lines);
  }
  file.end();
  await finished(file);
  return { path, rows, bytes: size, sha256: digest.digest("hex"), derivedBytes, derived: derived.digest("hex") };
}

async function sha256Of(path: string): Promise<string> {
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(path)) digest.update(chunk);
  return digest.digest("hex");
}

/** Uploads by calls, each part as a stream of unknown length. */
async function upload(server: Api, path: string, name: string, size: number): Promise<string> {
  const begun = await server.call("POST", "/files", { name, size });
  const { id, partBytes, parts } = (await begun.json()) as { id: string; partBytes: number; parts: number };
  for (let number = 1; number <= parts; number++) {
    const start = (number - 1) * partBytes;
    const end = Math.min(size, start + partBytes) - 1;
    const body = Readable.toWeb(createReadStream(path, { start, end }));
    const init = { method: "PUT", body, duplex: "half", headers: server.headers } as RequestInit;
    const sent = await fetch(`${server.url}/api/v1/files/${id}/parts/${number}`, init);
    expect(sent.status, await sent.text()).toBe(200);
  }
  const done = await server.call("POST", `/files/${id}/complete`);
  expect(done.status).toBe(202);
  return ((await done.json()) as { jobId: string }).jobId;
}

test("C085: a file of 100 MB is uploaded in the browser, processed, and comes back as NDJSON, row for row", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const file = await csvFile("people.csv", 100_000_000);
  await page.goto("/files");
  await ready(page);
  await expect(page.getByText("Up to 2 GB.")).toBeVisible();
  await page.getByLabel("File", { exact: true }).setInputFiles(file.path);
  await page.getByRole("button", { name: "Upload and process" }).click();
  await expect(page.getByRole("progressbar", { name: "Upload" })).toBeVisible();
  await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/, { timeout: 120_000 });
  const id = await shownJob(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("people.csv");
  await expect(badge(page)).toHaveText("Done", { timeout: 120_000 });

  const job = await api.job(id);
  expect(job.attempt).toBe(1);
  const { bytes, sha256, table } = job.result as Result;
  expect([bytes, sha256, table.rows, table.badLines.count]).toEqual([file.bytes, file.sha256, file.rows, 0]);
  expect(table.derived).toMatchObject({ rows: file.rows, bytes: file.derivedBytes, sha256: file.derived });
  const found = card(page, "File");
  await expect(found).toContainText(file.rows.toLocaleString("en"));
  await expect(found.getByRole("row", { name: /^name, first/ })).toContainText("text");

  const downloading = page.waitForEvent("download");
  await found.getByRole("link", { name: /Download NDJSON/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("people.ndjson");
  expect(await sha256Of(await download.path())).toBe(file.derived);
});

test("without a script a file goes by a plain form, can be processed again as it should be, and deleted", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: url });
  const page = await context.newPage();
  await page.goto("/files");
  // Playwright looks for no text inside noscript, but for elements.
  await expect(page.locator("noscript > span").filter({ hasText: "Without a script up to 100 MB." })).toBeVisible();
  const path = join(folder, "semi colon.csv");
  writeFileSync(path, "id;name\r\n1;<script>alert(1)</script>\r\n2\r\n");
  await page.getByLabel("File", { exact: true }).setInputFiles(path);
  await page.getByRole("button", { name: "Upload and process" }).click();
  const first = await shownJob(page);
  await api.until(first, "dead");
  await page.reload();
  await expect(page.getByLabel("How it stands")).toContainText('the header is one column with ";" in it');

  await page.goto("/files");
  await page.getByRole("link", { name: "semi colon.csv", exact: true }).first().click();
  await page.getByLabel("Separator").selectOption(";");
  await page.getByRole("button", { name: "Process again" }).click();
  const second = await shownJob(page);
  expect(second).not.toBe(first);
  await api.until(second, "done");
  await page.reload();
  await expect(card(page, "File")).toContainText("1 bad line");
  await expect(card(page, "File")).toContainText("Row 2, line 3: 1 field, the header has 2");

  const link = await card(page, "File")
    .getByRole("link", { name: /Download/ })
    .getAttribute("href");
  const { headers, body } = await raw(url, "GET", link as string);
  expect(headers).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": `attachment; filename="semi colon.ndjson"; filename*=UTF-8''semi%20colon.ndjson`,
    "x-content-type-options": "nosniff",
  });
  expect(body).toBe('{"id":"1","name":"<script>alert(1)</script>"}\n{"id":"2"}\n');

  await page.goto((link as string).split("/derived")[0] as string);
  await expect(page.getByRole("row").filter({ hasText: "semi colon.csv" })).toHaveCount(2);
  await page.getByRole("link", { name: "Delete file" }).click();
  await page.getByRole("button", { name: "Delete file" }).click();
  await expect(page).toHaveURL(`${url}/files`);
  expect((await raw(url, "GET", link as string)).status).toBe(404);
  await context.close();
});

test("what is wrong with an upload is said before anything is sent, and a cancelled one leaves nothing", async ({
  page,
}) => {
  await page.goto("/files");
  await ready(page);
  await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    const files = new DataTransfer();
    const huge = new File(["x"], "huge.csv");
    Object.defineProperty(huge, "size", { value: 2_000_000_001 });
    files.items.add(huge);
    // Without reading two gigabytes: the size is what the page asks for.
    const get = FormData.prototype.get;
    FormData.prototype.get = function (name) {
      return name === "file" ? huge : get.call(this, name);
    };
    if (input) input.files = files.files;
  });
  await page.getByRole("button", { name: "Upload and process" }).click();
  await expect(page.getByRole("alert")).toContainText("huge.csv has 2.0 GB: at most 2 GB are taken.");

  const file = await csvFile("cancelled.csv", 30_000_000);
  await page.goto("/files");
  await ready(page);
  await page.route("**/parts/2", async (route) => {
    await page.getByRole("button", { name: "Cancel" }).click();
    await route.abort().catch(() => {});
  });
  await page.getByLabel("File", { exact: true }).setInputFiles(file.path);
  await page.getByRole("button", { name: "Upload and process" }).click();
  await expect(page.getByRole("button", { name: "Upload and process" })).toBeVisible();
  await expect(async () => {
    const { files } = (await (await api.call("GET", "/files")).json()) as { files: { name: string }[] };
    expect(files.filter(({ name }) => name === "cancelled.csv")).toEqual([]);
  }).toPass();
});

test("C085: a server that is killed while it reads a file starts over and leaves one derived file", async () => {
  test.setTimeout(300_000);
  const file = await csvFile("killed.csv", 60_000_000);
  const server = await Server.start();
  const own = new Api(server.url);
  const id = await upload(own, file.path, "killed.csv", file.bytes);
  const progress = async () => ((await own.job(id)) as unknown as { progress: string | null }).progress;
  await expect.poll(progress, { timeout: 60_000, intervals: [50] }).not.toBeNull();
  expect((await own.job(id)).state).toBe("processing");
  await server.restart();
  await expect(async () => {
    await server.tick();
    expect((await own.job(id)).state).toBe("done");
  }).toPass({ timeout: 180_000, intervals: [2_000] });
  const job = await own.job(id);
  expect(job.attempts.map(({ outcome }) => outcome)).toEqual(["done", "lost"]);
  expect((job.result as Result).table.derived).toMatchObject({ rows: file.rows, sha256: file.derived });
  await server.stop();
});

test("C085: the reader's memory does not grow with what it reads", async () => {
  test.setTimeout(180_000);
  for (const format of ["csv", "ndjson"] as const) {
    const { bytes, rows, grownBytes } = await pass(format, 200_000_000);
    expect(bytes).toBe(200_000_000);
    expect(rows).toBeGreaterThan(1_000_000);
    expect(grownBytes).toBeLessThan(64_000_000);
  }
});
