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
<p class="brand">${MARK}Redrive</p>
${body}
</main>
</body>
</html>
`;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const MARK = `<svg aria-hidden="true" viewBox="0 0 24 24" width="24" height="24" fill="none"><rect width="24" height="24" rx="6"/>
<path d="M6 13.2A5.2 5.2 0 1 0 8 8.3M6 5.6v3.6h3.6" stroke="#fff" stroke-width="2" stroke-linecap="round"
stroke-linejoin="round" transform="translate(.8 .6)"/></svg>`;

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(oklch(98.75% 0 0), oklch(10% 0 0));
  --card: light-dark(#fff, oklch(17% 0 0));
  --text: light-dark(oklch(21% 0 0), oklch(94% 0 0));
  --quiet: light-dark(oklch(46% 0 0), oklch(73% 0 0));
  --line: light-dark(oklch(90% 0 0), oklch(32% 0 0));
  --brand: light-dark(oklch(50% .22 260), oklch(52% .2324 260));
  --focus: light-dark(oklch(50% .22 260), oklch(72% .15 260));
  --wrong: light-dark(oklch(47% .19 27.5), oklch(76% .15 22));
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 1.5rem 1rem;
  background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
main:has(section) { max-width: 40rem; }
.brand { display: flex; align-items: center; gap: .625rem; margin: 0 0 1.5rem; font-size: 1.125rem; font-weight: 600; letter-spacing: -.025em; }
.brand rect { fill: var(--brand); }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.015em; }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
p { margin: 0 0 1rem; } section p:last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); font-size: .875rem; margin: 1rem 0 0; }
.wrong { color: var(--wrong); font-weight: 550; }
label { display: block; margin: 1.25rem 0 .375rem; font-weight: 550; }
input, button { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; border-radius: .5rem; }
input { border: 1px solid var(--quiet); background: var(--ground); color: inherit; }
input[aria-invalid] { border-color: var(--wrong); }
button { margin-top: 1rem; border: 0; background: var(--brand); color: #fff; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
code { font: .875em ui-monospace, monospace; }
pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; }
`;
