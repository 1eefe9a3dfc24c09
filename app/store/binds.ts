import type { Statement } from "./store";

/** Collects the parameters of one statement by number: one that is named in several places is bound once. */
export class Binds {
  readonly params: Statement["params"] = [];

  readonly add = (value: string | number): string => {
    const known = this.params.indexOf(value);
    return `?${known >= 0 ? known + 1 : this.params.push(value)}`;
  };
}
