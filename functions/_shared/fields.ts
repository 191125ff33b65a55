import * as z from 'zod'

/** Whether Postgres can hold a text: no NUL, no half of a surrogate pair. */
export function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Text without line breaks and other control characters. */
export function line(most: number) {
  return z
    .string()
    .max(most, `at most ${most} characters`)
    .refine((text) => storable(text) && !/\p{Cc}/u.test(text), 'is one line of text')
}

/** An id in lower case, as Postgres writes it: ids are compared as texts and used in paths. */
export const id = z.guid().transform((text) => text.toLowerCase())

/** The languages that texts are wanted in, as a query has them. */
export const wantedLanguages = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*(,[A-Za-z0-9]+(-[A-Za-z0-9]+)*)*$/,
    'is tags such as de-AT, separated by commas',
  )
  .transform((tags) => tags.split(','))
  .describe('Wanted languages as BCP 47 tags, separated by commas, the best first.')

/**
 * A schema whose input holds nothing that could be lost or change its meaning between JSON, JavaScript and Postgres.
 *
 * Rejected at any depth: NUL and halves of surrogate pairs, which Postgres cannot hold, and a member `__proto__`, which
 * validation would drop silently, so that a filter would match more than it says.
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

// The query of a list that is read page by page.

export const search = line(100).describe('Part of a name, in any case.')

export const limit = z.coerce.number().int().min(1).max(200).default(50).describe('Most rows to return.')

export const offset = z.coerce.number().int().min(0).max(1_000_000).default(0).describe('Rows to skip first.')

export const order = z.enum(['asc', 'desc']).default('asc').describe('Smallest or largest first.')
