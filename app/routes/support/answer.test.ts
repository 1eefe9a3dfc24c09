import { describe, expect, test } from "vitest";
import { PAGE_FORM_BYTES } from "~/domain/limits";
import { formOf } from "./answer.server";

/** A form whose body comes in pieces of 64 KiB and does not say how long it is; `sent`: bytes that were asked for. */
function chunked(text: string, type = "application/x-www-form-urlencoded") {
  const bytes = new TextEncoder().encode(text);
  const counted = { sent: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(out) {
        const piece = bytes.slice(counted.sent, counted.sent + 65_536);
        counted.sent += piece.length;
        if (piece.length > 0) out.enqueue(piece);
        else out.close();
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request("https://a.example/", { method: "POST", body, headers: { "content-type": type } });
  expect(request.headers.get("content-length")).toBeNull();
  return { request, counted };
}

const filled = (bytes: number) => `a=${"x".repeat(bytes - 2)}`;

describe("the form of a page", () => {
  test("is taken up to its last byte, however it comes", async () => {
    const { request } = chunked(filled(PAGE_FORM_BYTES));
    expect(String((await formOf(request)).get("a"))).toHaveLength(PAGE_FORM_BYTES - 2);
    const many = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\u00e9\r\n--b--\r\n';
    expect((await formOf(chunked(many, "multipart/form-data; boundary=b").request)).get("a")).toBe("1\u00e9");
    expect(
      (await formOf(new Request("https://a.example/", { method: "POST", body: new URLSearchParams({ b: "é" }) }))).get(
        "b",
      ),
    ).toBe("é");
  });

  test("is refused from the first byte too many on, and the rest is never asked for", async () => {
    const refused = { data: { reason: "form-too-large" }, init: { status: 413 } };
    await expect(formOf(chunked(filled(PAGE_FORM_BYTES + 1)).request)).rejects.toMatchObject(refused);
    const { request, counted } = chunked(filled(20 * PAGE_FORM_BYTES));
    await expect(formOf(request)).rejects.toMatchObject(refused);
    expect(counted.sent).toBeLessThan(PAGE_FORM_BYTES + 5 * 65_536);
  });

  test("may be larger where it holds a payload", async () => {
    const { request } = chunked(filled(PAGE_FORM_BYTES + 1));
    expect((await formOf(request, 2 * PAGE_FORM_BYTES)).has("a")).toBe(true);
  });

  test.each(["application/json", ""])("that is none, sent as %j, is a mistake", async (type) => {
    await expect(formOf(chunked("{}", type).request)).rejects.toMatchObject({
      data: { reason: "no-form" },
      init: { status: 400 },
    });
  });
});
