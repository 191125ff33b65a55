/** The page's own style after that of all signed-in pages, and paper. */
export const STYLE = `
:root { --width: 960px; }
p, ul, pre { margin: 0 0 12px; }
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
@media print {
  body { background: #fff; color: #000; font-size: 10.5pt; }
  header form, .way, .skip, button { display: none; }
  .card { border: 0; padding: 0; }
  .control, tr { break-inside: avoid; }
}
`
