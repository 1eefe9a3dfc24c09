import { document, escapeHtml } from "./document";

export const signInPage = (nonce: string, next: string, wrong: boolean): string =>
  document(
    wrong ? "Wrong token" : "Sign in",
    nonce,
    `<h1>Sign in</h1>
${wrong ? WRONG : ""}<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${wrong ? INVALID : ""}>
<button>Sign in</button>
</form>
<p class="quiet">It is the secret <code>ADMIN_TOKEN</code> of this deployment. You stay signed in for 12 hours.</p>`,
  );

const WRONG = `<p class="wrong" id="wrong" role="alert">That is not the admin token of this deployment.</p>\n`;
const INVALID = ` aria-invalid="true" aria-describedby="wrong"`;
