/** Style sheet of the reference: one column to read, quiet colours, light and dark, and on paper without links' colours. */
export const STYLE = `
:root {
  --ink: #1c2330; --quiet: #566071; --line: #dfe3ea; --ground: #fff; --code: #f4f6f9; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ef; --quiet: #a3adbd; --line: #333b49; --ground: #12161d; --code: #1b212b; --accent: #7db7f5;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 6rem; max-width: 58rem; color: var(--ink); background: var(--ground);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: break-word;
}
h1 { margin: 0; font-size: 2.1rem; line-height: 1.2; letter-spacing: -0.015em }
h2 { margin: 4rem 0 0.25rem; padding-top: 1rem; border-top: 2px solid var(--ink); font-size: 1.5rem; line-height: 1.3 }
h3 { margin: 2.75rem 0 0.5rem; font-size: 1.15rem; line-height: 1.4 }
h4 { margin: 1.5rem 0 0.4rem; font-size: 0.95rem }
p, ul { margin: 0.5rem 0 }
a { color: var(--accent) }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px }
code, pre { font: 0.875em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
code { padding: 0.1em 0.3em; background: var(--code); border-radius: 4px }
pre { margin: 0.4rem 0 1rem; padding: 0.85rem 1rem; overflow-x: auto; background: var(--code); border-radius: 8px }
pre code { padding: 0; background: none }
.quiet { color: var(--quiet) }
.address { margin: 0.25rem 0 0.75rem; font: 600 1rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.method { display: inline-block; min-width: 3.2rem; color: var(--accent) }
nav .group { margin: 1.25rem 0 0.25rem; font-weight: 600 }
nav ul { margin: 0 0 1rem; padding: 0; list-style: none }
nav li { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.2rem 0; border-bottom: 1px solid var(--line) }
nav li a { flex: 0 0 23rem; max-width: 100%; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.85rem }
nav li span { flex: 1 1 16rem; color: var(--quiet); font-size: 0.9rem }
.wide { overflow-x: auto }
table { width: 100%; margin: 0.3rem 0 1rem; border-collapse: collapse; font-size: 0.92rem }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: var(--quiet) }
td:first-child { white-space: nowrap }
.depth-1 { padding-left: 1.2rem } .depth-2 { padding-left: 2.4rem } .depth-3 { padding-left: 3.6rem }
.depth-4 { padding-left: 4.8rem } .depth-5 { padding-left: 6rem }
.may { color: var(--quiet); font-size: 0.85em }
.fields, .parameters { min-width: 38rem; table-layout: fixed }
.fields th:first-child { width: 38% } .fields th:nth-child(2) { width: 25% }
.parameters th:first-child { width: 26% } .parameters th:nth-child(2) { width: 9% } .parameters th:nth-child(3) { width: 27% }
@media print {
  :root { --ink: #000; --quiet: #333; --line: #bbb; --ground: #fff; --code: #f3f3f3; --accent: #000 }
  body { max-width: none; padding: 0; font-size: 10pt }
  h3, h4, .address { break-after: avoid }
  pre, tr { break-inside: avoid }
  pre { white-space: pre-wrap }
  section.tag { break-before: page }
  @page { margin: 18mm 16mm }
}
`
