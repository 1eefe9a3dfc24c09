import { document, escapeHtml } from "./document";

export const signInPage = (nonce: string, next: string, local: boolean, wrong: boolean): string =>
  document(
    wrong ? "Wrong token" : "Sign in",
    nonce,
    `<h1>Sign in</h1>
${wrong ? WRONG : ""}<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${wrong ? INVALID : ""}>
<button>Sign in</button>
</form>
<p class="quiet">It is the secret <code>ADMIN_TOKEN</code> of this deployment, or an API token that an admin has made. You stay
signed in for 12 hours.${local ? LOCAL : ""}</p>`,
  );

const WRONG = `<p class="wrong" id="wrong" role="alert">This deployment knows no such token.</p>\n`;
const INVALID = ` aria-invalid="true" aria-describedby="wrong"`;
const LOCAL = ` On this machine <a href="/">no token is needed</a>: with one you see what its holder sees.`;
