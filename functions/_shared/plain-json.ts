import * as z from 'zod'

/**
 * A schema whose input holds nothing that could be lost or change its meaning between JSON, JavaScript and Postgres.
 *
 * Refused at any depth: NUL and halves of surrogate pairs, which Postgres cannot hold, and a member `__proto__`, which
 * validation would drop without a word, so that a filter would match more than it says.
 */
export function ofPlainJson<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, context) => {
    const problem = problemOf(value)
    if (problem === null) return value
    context.addIssue({ code: 'custom', message: problem })
    return z.NEVER
  }, schema)
}

function problemOf(value: unknown): string | null {
  if (typeof value === 'string') return problemOfText(value)
  if (typeof value !== 'object' || value === null) return null
  for (const [key, part] of Object.entries(value)) {
    const problem = key === '__proto__' ? 'no member may be called __proto__' : problemOfText(key)
    const found = problem ?? problemOf(part)
    if (found) return found
  }
  return null
}

function problemOfText(text: string): string | null {
  if (text.includes('\0')) return 'no text may hold the character NUL'
  return text.isWellFormed() ? null : 'no text may hold half of a surrogate pair'
}
