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
