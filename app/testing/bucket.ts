import { env } from "cloudflare:workers";
import type { World } from "./world";

const real = () => (env as unknown as { FILES: R2Bucket }).FILES;
type Method = (...args: unknown[]) => unknown;

/**
 * The real bucket, for a world whose clock must wait while it works. `onPart` is asked before each part: it may hold it
 * for ever, as a crash does. */
export class Bucket {
  onPart: (number: number) => Promise<void> = async () => {};
  /** A body that stands in for that of any object. */
  source: ((object: R2ObjectBody) => { size: number; body: ReadableStream<Uint8Array> }) | null = null;
  readonly asked: string[] = [];

  constructor(private readonly world: World) {}

  get files(): R2Bucket {
    return this.wrap(real(), (name, result) => {
      this.asked.push(name);
      if (name === "resumeMultipartUpload") return this.upload(result as R2MultipartUpload);
      const work = this.world.busy(result as Promise<unknown>);
      if (name === "createMultipartUpload") return work.then((upload) => this.upload(upload as R2MultipartUpload));
      return name === "get" ? work.then((object) => object && this.object(object as R2ObjectBody)) : work;
    }) as R2Bucket;
  }

  private upload = (upload: R2MultipartUpload): R2MultipartUpload => {
    const wrapped = this.wrap(upload, (_name, result) => this.world.busy(result as Promise<unknown>));
    return new Proxy(wrapped, {
      get: (target, name) =>
        name === "uploadPart"
          ? async (number: number, value: Uint8Array) => {
              await this.onPart(number);
              return this.world.busy(upload.uploadPart(number, value));
            }
          : Reflect.get(target, name),
    });
  };

  private object(object: R2ObjectBody) {
    const { size, body } = this.source?.(object) ?? object;
    const reader = body.getReader();
    return {
      size,
      body: new ReadableStream<Uint8Array>(
        {
          pull: async (controller) => {
            const { done, value } = await this.world.busy(reader.read());
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      ),
    };
  }

  private wrap<T extends object>(target: T, answer: (name: string, result: unknown) => unknown): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => answer(String(name), (value as Method).apply(target, args));
      },
    });
  }
}

export const objects = async (prefix = ""): Promise<string[]> =>
  (await real().list({ prefix })).objects.map(({ key }) => key).sort();
/** Whether parts can still be added to it: what they would lie in is there. */
export const isOpen = (key: string, uploadId: string): Promise<boolean> =>
  real()
    .resumeMultipartUpload(key, uploadId)
    .uploadPart(10_000, "x")
    .then(
      () => true,
      () => false,
    );
export const textOf = async (key: string): Promise<string | undefined> => (await real().get(key))?.text();
export const put = (key: string, content: string | Uint8Array) => real().put(key, content);

export async function emptyBucket(): Promise<void> {
  for (const key of await objects()) await real().delete(key);
}
