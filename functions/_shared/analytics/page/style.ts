/** The page's own style after that of all signed-in pages, and paper. */
export const STYLE = `
:root {
  --width: 1120px; --inside: 20px;
  --area: #1c5d9922; --grid: #e4e9ef; --withheld: #d5dbe3; --high: #b3261e; --moderate: #c77d0a; --lower: #9fb3c8;
}
@media (prefers-color-scheme: dark) {
  :root { --area: #7cb7f022; --grid: #2a343f; --withheld: #364250; --high: #ff8a7d; --moderate: #f2b04b; --lower: #5a6f85; }
}
body { line-height: 1.5; }
h1 { margin: 0; }
h2 { margin: 0; font-size: 1.125rem; }
h3 { margin: 12px 0 4px; font-size: .9375rem; }
.heading { margin: 12px 0 20px; }
.heading p { margin: 4px 0 0; color: var(--soft); }
.card { min-width: 0; }
.note, .empty, .fine { margin: 2px 0 12px; color: var(--soft); font-size: .875rem; }
.fine { margin: 24px 0 0; max-width: 72ch; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.scroll:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

.filters { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; margin: 0 0 20px; }
.filters label { display: grid; gap: 4px; flex: 1 1 150px; font-size: .875rem; color: var(--soft); }
select, input { font: inherit; min-height: 44px; border-radius: 8px; }
select, input[type="email"], input[type="password"] {
  width: 100%; padding: 8px 10px; color: var(--ink); background: var(--card); border: 1px solid var(--soft);
}

.summary { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 16px; margin: 0 0 16px; }
.summary .card { margin: 0; padding: 16px 20px; }
.summary dt { color: var(--soft); font-size: .875rem; }
.summary dd { margin: 0; }
.summary strong { display: block; font-size: 2rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
.summary span { color: var(--soft); font-size: .875rem; }

.columns, .blocks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 0 16px; }
.blocks { grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 8px 32px; }
.chart { display: block; width: 100%; height: auto; overflow: visible; }
.chart.narrow { display: none; }
.tick { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); }
.line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.area { fill: var(--area); }
.dot { fill: var(--accent); }
.column { fill: var(--accent); }
.withheld { fill: var(--withheld); opacity: .55; }
.key { display: inline-flex; align-items: center; gap: 6px; margin-right: 6px; vertical-align: bottom; }
.swatch { display: inline-block; width: 12px; height: 12px; border-radius: 3px; flex: none; }
.swatch.high { background: var(--high); } .swatch.moderate { background: var(--moderate); } .swatch.lower { background: var(--lower); }
.withheld-swatch { background: var(--withheld); }
.reference-swatch { width: 2px; height: 14px; border-radius: 0; background: var(--ink); }
.stack { display: block; width: 100%; height: 28px; border-radius: 6px; }
.stack .high { fill: var(--high); } .stack .moderate { fill: var(--moderate); } .stack .lower { fill: var(--lower); }
.stack rect { stroke: var(--card); stroke-width: 2; vector-effect: non-scaling-stroke; }
.legend { list-style: none; margin: 14px 0 0; padding: 0; }
.legend li { display: grid; grid-template-columns: auto 1fr auto 4em; gap: 10px; align-items: center; padding: 6px 0; border-top: 1px solid var(--grid); }
.legend li:first-child { border-top: 0; }
.legend strong, .share { text-align: right; font-variant-numeric: tabular-nums; }
.share { color: var(--soft); }
.advice { margin: 10px 0 0; padding: 0 0 0 1.1em; }
.advice li { margin: 0 0 8px; }

table { width: 100%; border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 8px; text-align: right; border-top: 1px solid var(--grid); white-space: nowrap; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; }
th[scope="row"] { font-weight: 500; white-space: normal; overflow-wrap: anywhere; }
th:first-child { text-align: left; padding-left: 0; }
td:last-child, thead th:last-child { padding-right: 0; }
.blocks th[scope="row"] { width: 42%; }
.blocks td:nth-child(2) { width: 28%; }
.blocks thead th:nth-child(2) { text-align: left; }
#figures th[scope="row"] { min-width: 9.5rem; }
.kind { color: var(--soft); font-weight: 400; }
.bar { display: block; width: 100%; min-width: 60px; height: 10px; }
.bar .track { fill: var(--grid); }
.bar .reference { stroke: var(--ink); stroke-width: 2; vector-effect: non-scaling-stroke; }
.scroll { overflow: auto; position: relative; }
details .scroll { max-height: 480px; }
details { margin-top: 12px; }
summary { cursor: pointer; color: var(--accent); font-size: .875rem; padding: 6px 0; }

.notice { padding: 32px; }
.notice p { max-width: 60ch; }

@media (max-width: 640px) {
  .summary { grid-template-columns: 1fr 1fr; gap: 10px; }
  .summary .card { padding: 12px 14px; }
  .summary strong { font-size: 1.5rem; }
  .filters label { flex-basis: 130px; }
  .filters button { flex: 1 1 100%; }
  .chart.wide { display: none; }
  .chart.narrow { display: block; }
}
@media print {
  :root {
    --ground: #fff; --card: #fff; --edge: #c9d1da; --ink: #000; --soft: #3f4b57; --accent: #1c5d99; --area: #1c5d9922;
    --grid: #dfe5eb; --withheld: #d5dbe3; --high: #b3261e; --moderate: #c77d0a; --lower: #9fb3c8;
  }
  @page { margin: 14mm; }
  body { font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  header, main { padding: 0; max-width: none; }
  .filters, header form, details, .skip { display: none; }
  .card { break-inside: avoid; padding: 10pt; }
  .summary { grid-template-columns: repeat(4, 1fr); }
  .summary strong { font-size: 16pt; }
  .columns { grid-template-columns: 1fr 1fr; }
  .blocks { grid-template-columns: repeat(3, 1fr); gap: 8pt 14pt; }
  .blocks th[scope="row"] { width: 40%; }
  .blocks td:nth-child(2) { width: 24%; }
  .bar { min-width: 30pt; }
  .scroll { max-height: none; overflow: visible; }
  table { font-size: 8.5pt; }
  th, td { padding: 3pt; }
}
`
