const YEAR_SECONDS = 31_536_000;

/** What every answer carries, whoever made it. */
export function secured(response: Response, url: URL, nonce: string): Response {
  const secure = new Response(response.body, response);
  const { headers } = secure;
  // A document that somebody else wrote, such as a mail, comes in a sandbox of its own, for our pages to frame.
  const sandboxed = headers.get("Content-Security-Policy")?.startsWith("sandbox") ?? false;
  if (!sandboxed) headers.set("Content-Security-Policy", policy(nonce));
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", sandboxed ? "SAMEORIGIN" : "DENY");
  // Not "no-referrer": with it, browsers hide the origin of our own forms, and we would turn them away.
  headers.set("Referrer-Policy", "same-origin");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  if (url.protocol === "https:") headers.set("Strict-Transport-Security", `max-age=${YEAR_SECONDS}`);
  // Whoever wants an answer kept says so.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  return secure;
}

function policy(nonce: string): string {
  // The development server puts styles into the page as it goes.
  const styles = import.meta.env.MODE === "development" ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' ${styles}`,
    // Components place themselves by style attributes in the markup; these can neither load nor run anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
