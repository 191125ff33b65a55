import * as z from 'zod'

/** An id as Postgres writes it, and a number; an empty cell is no answer, and no 0. */
const LINE = z.tuple([
  z.string().toLowerCase().pipe(z.uuid()),
  z
    .string()
    .regex(/^\d{1,3}(?:\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().max(100)),
])

/**
 * Labels by check-in, from the text of a CSV file of `check_in_id,value` with or without a header.
 *
 * @throws an error that names the first line that is not a UUID and a number from 0 to 100, or whose check-in came before
 */
export function readLabels(csv: string): Map<string, number> {
  const labels = new Map<string, number>()
  for (const [at, text] of csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (text.trim() === '' || (at === 0 && /^"?check_in_id\b/.test(text))) continue
    const line = LINE.safeParse(text.split(',').map((cell) => cell.trim()))
    if (!line.success) throw new Error(`Line ${at + 1} is not a check-in and a value from 0 to 100`)
    const [id, label] = line.data
    if (labels.has(id)) throw new Error(`Line ${at + 1} is about a check-in that came before`)
    labels.set(id, label)
  }
  return labels
}
