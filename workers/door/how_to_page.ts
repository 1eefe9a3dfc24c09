import { document } from "./document";

export const howToPage = (nonce: string): string =>
  document(
    "Set up sign-in",
    nonce,
    `<h1>Nobody can sign in yet</h1>
<p>This deployment has no sign-in set up, so it serves this page and nothing else. Pick one of two ways in.</p>
<section>
<h2>An admin token</h2>
<p>Make a long random token, keep it where you keep secrets, and give it to the Worker:</p>
<pre tabindex="0"><code>openssl rand -base64 32
npx wrangler secret put ADMIN_TOKEN</code></pre>
<p>People type it in on the sign-in page. Programs send <code>Authorization: Bearer …</code></p>
</section>
<section>
<h2>Cloudflare Access</h2>
<p>In the Cloudflare dashboard open this Worker, then <em>Settings</em>, <em>Domains &amp; Routes</em>, and turn on
Cloudflare Access. Whoever your policy lets through is signed in here under that name.</p>
</section>
<p class="quiet">Jobs go on running: queues and the sweeper need no sign-in. Reload this page when you are done.</p>`,
  );
