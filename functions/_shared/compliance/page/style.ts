/** The page's style sheet: light, dark, phone and paper. Every pair of letters and ground has a contrast of 4.5 or more. */
export const STYLE = `
:root {
  color-scheme: light dark;
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
header, main { max-width: 960px; margin: 0 auto; padding: 0 20px; }
header { display: flex; align-items: center; justify-content: space-between; min-height: 64px; }
.brand { display: flex; align-items: center; gap: 10px; margin: 0; font-weight: 600; }
.brand svg { width: 28px; height: 28px; fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 12px; top: 12px; padding: 8px 12px; background: var(--card); color: var(--ink); z-index: 1; }
main { padding-bottom: 48px; }
h1 { margin: 0 0 8px; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 0 0 8px; font-size: 1.25rem; line-height: 1.3; }
h3 { margin: 0 0 4px; font-size: 1.0625rem; }
p, ul, pre { margin: 0 0 12px; }
a { color: var(--accent); }
.card { background: var(--card); border: 1px solid var(--edge); border-radius: 12px; padding: 20px 24px; margin: 0 0 16px; }
.card > :last-child { margin-bottom: 0; }
.note { color: var(--soft); font-size: .9375rem; }
.compliant, .passed { color: var(--good); font-weight: 600; }
.partial, .not_assessed { color: var(--middle); font-weight: 600; }
.non_compliant, .failed { color: var(--problem); font-weight: 600; }
.not_applicable { color: var(--soft); font-weight: 600; }
.way { margin: 8px 0 16px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--edge); }
pre { padding: 12px; overflow-x: auto; border: 1px solid var(--edge); border-radius: 8px; font-size: .8125rem; white-space: pre-wrap; }
input[type="email"], input[type="password"] {
  width: 100%; font: inherit; min-height: 44px; padding: 8px 10px; color: var(--ink); background: var(--card); border: 1px solid var(--soft); border-radius: 8px;
}
button {
  font: inherit; min-height: 44px; padding: 8px 20px; font-weight: 600; cursor: pointer; border-radius: 8px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--accent-ink);
}
button.quiet { background: none; color: var(--accent); border-color: transparent; padding: 8px 12px; }
button.quiet:hover { border-color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
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
@media print {
  body { background: #fff; color: #000; font-size: 10.5pt; }
  header form, .way, .skip, button { display: none; }
  .card { border: 0; padding: 0; }
  .control, tr { break-inside: avoid; }
}
`
