import { WorkerEntrypoint } from "cloudflare:workers";
import { bindingOf } from "./binding/binding";
import type { BindingProps, NewJob } from "./binding/types";
import { engineFor } from "./engine";

/** The door for other Workers of the account: the entrypoint of their service bindings. `JobsService` is how they see it. */
export class Jobs extends WorkerEntrypoint<Env, BindingProps> {
  /** Whatever is on the prototype can be called from outside, unless it is private to the runtime too. */
  get #jobs() {
    return bindingOf(engineFor(this.env), this.ctx.props);
  }

  /** One job as well. */
  submit(jobs: NewJob[]) {
    return this.#jobs.submit(jobs);
  }

  job(id: string) {
    return this.#jobs.job(id);
  }

  cancel(id: string, reason?: string) {
    return this.#jobs.cancel(id, reason);
  }

  requeue(id: string, generation?: number, reason?: string) {
    return this.#jobs.requeue(id, generation, reason);
  }
}
