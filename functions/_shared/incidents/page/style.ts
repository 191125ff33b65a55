/** The page's own style after that of all signed-in pages. */
export const STYLE = `
h1 { margin-bottom: 12px; }
h3 { margin: 16px 0 4px; font-size: 1.0625rem; }
p, ul, ol { margin: 0 0 12px; }
.good { color: var(--good); font-weight: 600; }
.middle { color: var(--middle); font-weight: 600; }
.bad { color: var(--problem); font-weight: 600; }
article { border-top: 1px solid var(--edge); padding-top: 4px; margin-top: 12px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--edge); }
summary { cursor: pointer; min-height: 32px; color: var(--accent); }
article form, td form, details form { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin: 0 0 12px; }
article label, td label, details label { display: grid; gap: 2px; font-size: .875rem; color: var(--soft); }
input, select, textarea {
  font: inherit; min-height: 44px; padding: 8px 10px; color: var(--ink); background: var(--card); border: 1px solid var(--soft); border-radius: 8px; max-width: 100%;
}
.sign-in input { width: 100%; }
`
