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

/** Words to look for in names. */
export const search = line(100).describe('Part of a name, in any case.')

export const limit = z.coerce.number().int().min(1).max(200).default(50).describe('Most rows to answer.')

export const offset = z.coerce
  .number()
  .int()
  .min(0)
  .max(1_000_000)
  .default(0)
  .describe('Rows to leave out first.')

export const order = z.enum(['asc', 'desc']).default('asc').describe('Smallest or largest first.')
