/**
 * What the style sheets of signed-in pages have in common: light, dark and phone. Every pair of letters and ground has a contrast of
 * 4.5 or more. A page sets its own width, and what is inside a card, with `--width` and `--inside`.
 */
export const SIGNED_IN_STYLE = `
:root {
  color-scheme: light dark; --width: 1080px; --inside: 20px 24px;
  --ground: #f3f5f8; --card: #fff; --edge: #d9dfe7; --ink: #18222f; --soft: #51606f;
  --accent: #1c5d99; --accent-ink: #fff; --good: #1b6b3a; --middle: #7a4b00; --problem: #a3201a; --problem-ground: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151b; --card: #19212a; --edge: #2e3945; --ink: #e8edf3; --soft: #a7b4c2;
    --accent: #7cb7f0; --accent-ink: #0c1a28; --good: #7fd6a0; --middle: #f0c674; --problem: #ffb4ab; --problem-ground: #3b1b1a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-text-size-adjust: 100%;
}
header, main { max-width: var(--width); margin: 0 auto; padding: 0 20px; }
header { display: flex; align-items: center; justify-content: space-between; min-height: 64px; }
.brand { display: flex; align-items: center; gap: 10px; margin: 0; font-weight: 600; }
.brand svg { width: 28px; height: 28px; fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 12px; top: 12px; padding: 8px 12px; background: var(--card); color: var(--ink); z-index: 1; }
main { padding-bottom: 48px; }
h1 { margin: 0 0 8px; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 0 0 8px; font-size: 1.25rem; line-height: 1.3; }
h3 { margin: 0 0 4px; font-size: 1.0625rem; }
a { color: var(--accent); }
.card { background: var(--card); border: 1px solid var(--edge); border-radius: 12px; padding: var(--inside); margin: 0 0 16px; }
.card > :last-child { margin-bottom: 0; }
.note { color: var(--soft); font-size: .9375rem; }
button {
  font: inherit; min-height: 44px; padding: 8px 20px; font-weight: 600; cursor: pointer; border-radius: 8px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--accent-ink);
}
button.quiet { background: none; color: var(--accent); border-color: transparent; padding: 8px 12px; }
button.quiet:hover { border-color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.notice { margin-top: 24px; }
.sign-in { max-width: 400px; margin: 8vh auto 0; padding: 32px; display: grid; gap: 6px; }
.sign-in label { margin-top: 10px; font-size: .9375rem; font-weight: 500; }
.sign-in button { margin-top: 20px; }
.problem { margin: 4px 0 14px; padding: 10px 12px; border-radius: 8px; background: var(--problem-ground); color: var(--problem); }
@media (max-width: 640px) {
  header, main { padding-left: 14px; padding-right: 14px; }
  h1 { font-size: 1.5rem; }
  .card { padding: 16px; }
}
`
