import type { Identity } from "~/cloudflare";
import type { Rights } from "~/domain/people/roles";
import { document, escapeHtml } from "./document";

const A = { viewer: "a viewer", operator: "an operator", admin: "an admin" };

export const refusedPage = (nonce: string, who: Identity, needed: Rights, does: string): string =>
  document(
    "Not allowed",
    nonce,
    `<h1>You may not ${escapeHtml(does)}</h1>
<p>Nothing was changed. You are here as <strong>${escapeHtml(who.name)}</strong>, ${A[who.role]}${who.payloads ? "" : " who does not see payloads"}.
It takes ${A[needed.role]}${needed.payloads ? " with the right to see payloads" : ""}.</p>
<p>An admin can give you that: ${who.how === "access" ? "under <em>Settings</em>, <em>People</em>" : "by a token with that role, under <em>Settings</em>, <em>API tokens</em>"}.</p>
<p><a href="/">Overview</a></p>`,
  );
