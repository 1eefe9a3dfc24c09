/** What this deployment has beside D1 and Queues. Each may be missing: a kind that needs it says so. */
export type Services = {
  files: R2Bucket | null;
  /** Cloudflare's own e-mail binding. */
  email: SendEmail | null;
  /** A variable or secret by name. */
  secret: (name: string) => string | undefined;
  /** A service binding by name: another Worker of the same account. */
  service: (name: string) => Fetcher | undefined;
};

/** The bindings of a Worker as services. */
export function servicesOf(bindings: object): Services {
  const env = bindings as Record<string, unknown>;
  const fetcher = (value: unknown) => typeof value === "object" && value !== null && "fetch" in value;
  return {
    files: (env.FILES as R2Bucket | undefined) ?? null,
    email: (env.EMAIL as SendEmail | undefined) ?? null,
    secret: (name) => (typeof env[name] === "string" && env[name] !== "" ? (env[name] as string) : undefined),
    service: (name) => (fetcher(env[name]) ? (env[name] as Fetcher) : undefined),
  };
}
