import { RULE, type RuleCall } from "~/domain/alerts/alerts";
import { alert } from "~/kinds/alert";
import { httpRequest } from "~/kinds/http_request";
import { registryOf } from "~/kinds/registry";
import { watchPage } from "~/kinds/watch_page";
import { createRule } from "~/lifecycle/alerts/edit_rule";
import { probes } from "./probes";
import { World } from "./world";

export const HOOK = "https://ops.example/hook";
type Told = { type: string; title: string; text: string; at: number; data: Record<string, any> };

/** A world with alert rules, jobs that die, and a receiver of what is told. */
export class AlertWorld extends World {
  readonly told: Told[] = [];
  /** When each request came in, answered or not. */
  readonly asked: number[] = [];
  answer: () => Response | Promise<Response> = () => new Response();

  constructor(kinds = registryOf(alert, httpRequest, watchPage, ...probes.values())) {
    super(kinds);
    this.fetch = async (input, init) => {
      const request = new Request(input as string, init);
      this.asked.push(this.now);
      const response = await this.answer();
      if (response.ok) {
        const { type, data } = JSON.parse(await request.text());
        this.told.push({ type, title: data.title, text: data.text, at: this.now, data });
      }
      return response;
    };
  }

  async rule(rest: Partial<RuleCall> = {}): Promise<string> {
    const call = RULE.parse({ name: "ops", condition: "dead", moreThan: 10, channels: { webhook: HOOK }, ...rest });
    const saved = await this.until(
      createRule(this.invocation().engine, call, { origin: "https://redrive.example" }, { actor: "ann" }),
    );
    if (saved.kind !== "saved") throw new Error(JSON.stringify(saved));
    return saved.id;
  }

  /** So many jobs that die at once. */
  async die(n: number, kind = "probe.permanent"): Promise<string[]> {
    const ids = await this.submit(...Array.from({ length: n }, () => ({ kind })));
    await this.deliver();
    return ids;
  }

  /** A minute later: the sweep, and all that is due then. */
  async minute(): Promise<void> {
    this.now += 60_000;
    await this.sweep();
    await this.deliver();
  }

  types = () => this.told.map(({ type }) => type.replace("alert.", ""));
  alerts = () => this.sql<Record<string, any>>("SELECT * FROM alerts ORDER BY id");
  notices = () => this.sql<Record<string, any>>("SELECT * FROM alert_notices ORDER BY alert_id, number, place");
}
