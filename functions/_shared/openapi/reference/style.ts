/**
 * Style sheet of the reference: headings beside what is read, or above it on a phone; quiet colours, light and dark, and on paper
 * without links' colours.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1c2330; --quiet: #566071; --line: #dfe3ea; --edge: #7b8698; --ground: #fff; --code: #f4f6f9; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ef; --quiet: #a3adbd; --line: #333b49; --edge: #7b8698; --ground: #12161d; --code: #1b212b; --accent: #7db7f5;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body {
  margin: 0; color: var(--ink); background: var(--ground);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere;
}
header, .columns { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 2rem; padding-top: 1rem; padding-bottom: 1rem }
.title { margin: 0; font-weight: 600 }
.title a { display: inline-block; padding: 0.6rem 0 }
form { display: flex; flex: 1 1 20rem; flex-wrap: wrap; gap: 0 0.5rem; max-width: 36rem }
label { flex: 1 0 100%; color: var(--quiet); font-size: 0.85rem }
input, button { min-height: 2.75rem; padding: 0.4rem 0.75rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--edge); border-radius: 8px }
input { flex: 1 1 10rem; min-width: 0 }
button { border-color: var(--accent); color: var(--accent); font-weight: 600; cursor: pointer }
.columns { display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); gap: 0 3rem; padding-bottom: 6rem }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; padding: 1rem 0; overflow-y: auto; font-size: 0.92rem; line-height: 1.4 }
nav ul { margin: 0; padding: 0; list-style: none }
nav a { display: block; padding: 0.3rem 0.25rem; text-decoration: none }
nav a:hover { text-decoration: underline }
nav [aria-current] { color: var(--ink); font-weight: 600 }
nav ul ul { padding: 0 0 0.5rem 0.75rem; border-left: 2px solid var(--line); font-size: 0.95em }
h1 { margin: 1rem 0 0.5rem; font-size: 2rem; line-height: 1.2; letter-spacing: -0.015em }
h2 { margin: 3rem 0 0.25rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.25rem; line-height: 1.35 }
h3 { margin: 1.5rem 0 0.4rem; font-size: 0.95rem }
p, ul { margin: 0.5rem 0 }
a { color: var(--accent) }
a:focus-visible, input:focus-visible, button:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px }
.skip { position: absolute; left: -999px }
.skip:focus { left: 0.75rem; top: 0.75rem; padding: 0.5rem 0.75rem; background: var(--ground); z-index: 1 }
[role=alert] { padding: 0.6rem 0.85rem; border: 1px solid var(--edge); border-radius: 8px }
code, pre { font: 0.875em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
code { padding: 0.1em 0.3em; background: var(--code); border-radius: 4px }
pre { margin: 0.4rem 0 1rem; padding: 0.85rem 1rem; overflow-x: auto; overflow-wrap: normal; background: var(--code); border-radius: 8px }
pre code { padding: 0; background: none }
.quiet { color: var(--quiet) }
.address { margin: 0.25rem 0 0.75rem; font: 600 1rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.method { display: inline-block; min-width: 3.2rem; color: var(--accent) }
.apart { margin-top: 4rem; padding: 0 1.25rem 1rem; border: 1px solid var(--line); border-radius: 8px }
.apart h2 { margin-top: 0; border-top: 0 }
.entries { padding: 0; list-style: none }
.entries li { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.35rem 0; border-bottom: 1px solid var(--line) }
.entries li:target { background: var(--code) }
.entries a { flex: 0 0 24rem; max-width: 100%; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.85rem }
.entries span { flex: 1 1 16rem; color: var(--quiet); font-size: 0.9rem }
.entries .part { flex: 1 0 100%; padding-left: 1rem }
.wide { overflow-x: auto }
table { width: 100%; margin: 0.3rem 0 1rem; border-collapse: collapse; font-size: 0.92rem }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: var(--quiet) }
.depth-1 { padding-left: 1.2rem } .depth-2 { padding-left: 2.4rem } .depth-3 { padding-left: 3.6rem }
.depth-4 { padding-left: 4.8rem } .depth-5 { padding-left: 6rem }
.may { color: var(--quiet); font-size: 0.85em }
.fields, .parameters { min-width: 38rem; table-layout: fixed }
.fields th:first-child { width: 38% } .fields th:nth-child(2) { width: 25% }
.parameters th:first-child { width: 26% } .parameters th:nth-child(2) { width: 9% } .parameters th:nth-child(3) { width: 27% }
.errors td:first-child { width: 5rem }
@media (max-width: 56rem) {
  .columns { display: block }
  nav { position: static; max-height: none; padding: 0 }
  .beside { display: none }
  nav > ul:not(:has(.current)) { columns: 9rem }
  nav > ul:has(.current) > li:not(.current) { display: none }
  nav a { padding: 0.65rem 0.25rem }
  .entries li { padding: 0.65rem 0 }
  h1 { font-size: 1.6rem }
}
@media print {
  :root { --ink: #000; --quiet: #333; --line: #bbb; --ground: #fff; --code: #f3f3f3; --accent: #000 }
  body { font-size: 10pt }
  form, nav, .skip { display: none }
  .columns { display: block; max-width: none; padding: 0 }
  h2, h3, .address { break-after: avoid }
  pre, tr { break-inside: avoid }
  pre { white-space: pre-wrap }
  @page { margin: 18mm 16mm }
}
`
