/** The door's own pages stand alone: they load nothing, since nothing else may be served yet. */
export const document = (title: string, nonce: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} · Redrive</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<p class="brand">Redrive</p>
${body}
</main>
</body>
</html>
`;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f6f7, #0f1012);
  --card: light-dark(#ffffff, #18191c);
  --text: light-dark(#1b1c1f, #ececee);
  --quiet: light-dark(#5a5c63, #a3a5ad);
  --line: light-dark(#d9dade, #34363c);
  --accent: light-dark(#b4470b, #f6a15c);
  --on-accent: light-dark(#ffffff, #1b1c1f);
  --wrong: light-dark(#b3261e, #ff9a90);
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 1.5rem 1rem;
  background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
main:has(section) { max-width: 40rem; }
.brand { margin: 0 0 1.25rem; color: var(--accent); font-weight: 650; letter-spacing: -.01em; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.015em; }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
p { margin: 0 0 1rem; } section p:last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); font-size: .875rem; margin: 1rem 0 0; }
.wrong { color: var(--wrong); font-weight: 550; }
label { display: block; margin: 1.25rem 0 .375rem; font-weight: 550; }
input, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; border-radius: .5rem; }
input { border: 1px solid var(--quiet); background: var(--ground); color: inherit; }
input[aria-invalid] { border-color: var(--wrong); }
button { margin-top: 1rem; border: 0; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { font: .875em ui-monospace, monospace; }
pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; }
`;
