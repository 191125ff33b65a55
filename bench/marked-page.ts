import { readFileSync, writeFileSync } from 'node:fs'

const START = '<!-- figures: written by the benchmark -->'
const END = '<!-- end of the figures -->'

/** Puts figures into a page, in place of those that it holds between two marks. */
export function writeBetweenMarks(page: string, figures: string): void {
  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no marks for the figures`)
  writeFileSync(page, `${before}${START}\n\n${figures}\n\n${END}${after}`)
}

/** A table in Markdown. */
export function markdownTable(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
