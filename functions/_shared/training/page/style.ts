/** The page's own style after that of all signed-in pages, and paper. */
export const STYLE = `
:root { --width: 760px; --inside: 24px; --calm: #e9f2fb; }
@media (prefers-color-scheme: dark) {
  :root { --calm: #16283a; }
}
body { font-size: 17px; line-height: 1.6; }
h3 { margin: 24px 0 4px; font-size: 1.0625rem; }
p { margin: 0 0 14px; }
.note { margin: 0 0 14px; color: var(--soft); font-size: .9375rem; }
.overdue { color: var(--problem); font-weight: 600; }
.completed { color: var(--good); font-weight: 600; }
.way { margin: 8px 0 16px; }
blockquote { margin: 20px 0; padding: 14px 18px; border-left: 4px solid var(--accent); background: var(--calm); border-radius: 0 10px 10px 0; }
blockquote > :last-child { margin-bottom: 0; }
ol.sections { padding-left: 1.6em; }
ol.sections li { padding: 4px 0; }
fieldset { margin: 0 0 20px; padding: 20px 24px; border: 1px solid var(--edge); border-radius: 12px; background: var(--card); min-width: 0; }
legend { padding: 0; margin: 0 0 6px; font-weight: 600; float: left; width: 100%; }
legend + * { clear: both; }
label.choice { display: block; position: relative; padding: 10px 14px 10px 46px; margin: 8px 0 0; border: 1px solid var(--soft); border-radius: 10px; cursor: pointer; }
.choice input { position: absolute; left: 14px; top: 13px; width: 20px; height: 20px; min-height: 0; margin: 0; accent-color: var(--accent); }
input[type="email"], input[type="password"] {
  width: 100%; font: inherit; min-height: 44px; padding: 8px 10px; color: var(--ink); background: var(--card); border: 1px solid var(--soft); border-radius: 8px;
}
@media (max-width: 640px) {
  fieldset { padding: 16px; }
}
@media print {
  header form, .way, .skip, button { display: none; }
  .card { border: 0; padding: 0; }
}
`
