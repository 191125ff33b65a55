/** The style sheet of the page in an export: light and dark, and for print. Letters have a contrast of 4.5 or more. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --edge: #d8dee6; --ink: #18222f; --soft: #4d5b6a; --accent: #1c5d99; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10151b; --card: #19212a; --edge: #313d49; --ink: #e8edf3; --soft: #a9b6c4; --accent: #7cb7f0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 1000px; margin: 0 auto; padding: 16px; }
section { background: var(--card); border: 1px solid var(--edge); border-radius: 12px; padding: 20px; margin: 0 0 16px; }
h1 { margin: 8px 0; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 0 0 8px; font-size: 1.25rem; }
p { margin: 0 0 12px; }
a { color: var(--accent); }
.soft { color: var(--soft); }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-top: 1px solid var(--edge); overflow-wrap: normal; }
th { color: var(--soft); font-weight: 600; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
a:focus-visible, .table:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media print { body { background: none; } section { border: 0; padding: 0; } }
`.trim()
