import routes from "../app/routes.ts";

type Entry = { path?: string; children?: Entry[] };

/** The address of every route there is, with its parameters as they are named: `/jobs/:id`. */
export const addresses = async (): Promise<string[]> => below(await routes);

function below(entries: Entry[], parent = ""): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const here = path === undefined ? parent : `${parent}/${path}`;
    return [here || "/", ...below(children, here)];
  });
}

/** Every address without a parameter that shows a page, also those that are added later. */
export async function allPages(origin: string): Promise<string[]> {
  const plain = (await addresses()).filter((address) => !/[:*]/.test(address));
  const answers = await Promise.all(plain.map((address) => fetch(origin + address)));
  return plain.filter((_, index) => {
    const { ok, redirected, headers } = answers[index] as Response;
    return ok && !redirected && headers.get("content-type")?.startsWith("text/html");
  });
}
