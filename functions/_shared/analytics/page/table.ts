import { html } from 'hono/html'

/** The figures of a chart as a table, behind a heading that opens it. The first column names the row. */
export function figuresTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
) {
  if (rows.length === 0) return ''
  return html`<details>
<summary>${caption}, as a table</summary>
<div class="scroll" role="region" aria-label="${caption}" tabindex="0">${table(caption, heads, rows)}</div>
</details>`
}

/** A table whose first column names the row and whose others are figures. */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly unknown[])[]) {
  return html`<table>
<caption class="unseen">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>`
}
