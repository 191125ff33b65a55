/** The style sheet of every page: light and dark, one column for phones. Letters have a contrast of 4.5 or more. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --card: #fff; --edge: #d8dee6; --ink: #18222f; --soft: #4d5b6a;
  --accent: #1c5d99; --accent-ink: #fff; --calm: #e9f2fb; --problem: #a3201a; --problem-ground: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151b; --card: #19212a; --edge: #313d49; --ink: #e8edf3; --soft: #a9b6c4;
    --accent: #7cb7f0; --accent-ink: #0c1a28; --calm: #16283a; --problem: #ffb4ab; --problem-ground: #3b1b1a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: #f4f5f7; background: var(--ground); color: #18222f; color: var(--ink);
  font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-text-size-adjust: 100%; overflow-wrap: anywhere;
}
header, main { max-width: 640px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 18px; padding-bottom: 14px; display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: baseline; justify-content: space-between; }
.languages { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: .875rem; color: var(--soft); }
.languages a, .languages span { padding: 4px 0; }
.languages span { font-weight: 600; }
.more { padding: 0 21px; }
.more a { display: inline-block; padding: 6px 0; }
.done { padding: 12px 14px; border-radius: 10px; background: var(--calm); }
.brand { margin: 0; font-weight: 600; color: var(--soft); font-size: .9375rem; }
.brand svg { width: 22px; height: 22px; margin-inline-end: 8px; vertical-align: -5px; fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
main { padding-bottom: 48px; }
section { background: var(--card); border: 1px solid var(--edge); border-radius: 14px; padding: 20px; margin: 0 0 14px; }
h1 { margin: 0 0 10px; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 0 0 8px; font-size: 1.125rem; line-height: 1.3; }
p { margin: 0 0 12px; }
section > :last-child, form > :last-child, details > :last-child { margin-bottom: 0; }
ul { margin: 0 0 12px; padding-inline-start: 1.15em; }
li { margin: 0 0 8px; }
a { color: var(--accent); }
.soft { color: var(--soft); font-size: .9375rem; }
.calm { background: var(--calm); border-color: transparent; }
.help { list-style: none; padding: 0; }
.help li { margin: 0; padding: 10px 0; border-top: 1px solid var(--edge); }
.help li:last-child { padding-bottom: 0; }
.help a { display: inline-block; padding: 4px 0; margin-inline-end: 16px; font-weight: 600; }
.help strong { display: block; font-weight: 600; }
fieldset { margin: 0 0 16px; padding: 0; border: 0; min-width: 0; }
legend, .label { display: block; padding: 0; margin: 0 0 8px; font-weight: 600; }
.choice { display: block; position: relative; padding: 12px 14px; padding-inline-start: 46px; margin: 0 0 8px; border: 1px solid var(--soft); border-radius: 10px; cursor: pointer; }
.choice input { position: absolute; inset-inline-start: 14px; top: 14px; width: 20px; height: 20px; margin: 0; accent-color: var(--accent); }
.choice.plain { border: 0; padding: 2px 0; padding-inline-start: 34px; }
.choice.plain input { inset-inline-start: 0; top: 4px; }
.field { margin: 0 0 16px; }
.field .soft { margin: 0 0 8px; }
select, input[type="text"] {
  display: block; width: 100%; min-height: 48px; padding: 10px 12px; font: inherit; color: var(--ink); background: var(--card);
  border: 1px solid var(--soft); border-radius: 10px;
}
.digits { max-width: 9em; letter-spacing: .2em; }
button {
  display: block; width: 100%; min-height: 50px; padding: 12px 20px; font: inherit; font-weight: 600; cursor: pointer; border-radius: 10px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--accent-ink);
}
button + p { margin-top: 10px; }
button.quiet { background: none; color: var(--accent); }
.choice.wording { background: var(--card); font-size: .9375rem; }
summary { cursor: pointer; padding: 4px 0; color: var(--accent); font-weight: 600; }
details[open] summary { margin-bottom: 10px; }
.problem ul { margin-bottom: 0; }
.problem p { margin-bottom: 6px; }
.problem { margin-bottom: 12px; padding: 12px 14px; border-radius: 10px; background: var(--problem-ground); color: var(--problem); }
a:focus-visible, button:focus-visible, select:focus-visible, input:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (min-width: 480px) { button { width: auto; } section { padding: 24px; } }
`
