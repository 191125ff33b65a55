import * as z from 'zod'
import { ofPlainJson } from '../plain-json.ts'

/** Longest password that Auth's hash takes whole, in bytes. */
const MOST_PASSWORD_BYTES = 72

/** An address in the form in which Auth stores it. */
const email = z.string().trim().toLowerCase().pipe(z.email().max(254)).describe('address of the account')

const name = z.string().trim().min(1).max(100)

const newPassword = z
  .string()
  .min(1)
  .refine(
    (password) => new TextEncoder().encode(password).length <= MOST_PASSWORD_BYTES,
    `at most ${MOST_PASSWORD_BYTES} bytes`,
  )
  .describe('password of the new account, at most 72 bytes')

export const signInRequest = ofPlainJson(
  z.object({ email, password: z.string().min(1).max(1000).describe('password of the account') }),
)

export const signUpRequest = ofPlainJson(
  z.object({
    email,
    password: newPassword,
    first_name: name.describe('first name'),
    last_name: name.describe('last name'),
    university_id: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .describe('university; that of the mail domain where unsaid'),
  }),
)

export const refreshRequest = ofPlainJson(
  z.object({ refresh_token: z.string().min(1).max(4096).describe('the newest that was given out') }),
)
