import * as z from 'zod'
import { route } from '../http/route.ts'
import { refreshRequest, signInRequest, signUpRequest } from './requests.ts'

/** What every call of sign-in has. */
const call = { method: 'post', tag: 'Sign-in', security: 'none', refusal: { success: false } } as const

const tokens = z
  .object({
    access_token: z.string().describe('bearer token of every other call'),
    refresh_token: z.string().describe('good for one refresh'),
    expires_in: z.number().describe('seconds until the access token ends'),
  })
  .describe('what signs the person in')

const success = z.literal(true).describe('always; a refusal says false')

/** `POST /api/auth/signin`. */
export const signIn = route({
  ...call,
  id: 'signIn',
  path: '/api/auth/signin',
  summary: 'Signs in with an address and a password',
  description:
    'A wrong password, an address without an account and one that is not confirmed yet are answered alike. 10 tries an address within 5 minutes.',
  body: signInRequest,
  response: z.object({
    success,
    user: z
      .object({
        id: z.uuid().describe('the account'),
        email: z.string().describe('its address'),
        email_verified: z.boolean().describe('whether the address was confirmed'),
        first_name: z.string().optional().describe('first name'),
        last_name: z.string().optional().describe('last name'),
      })
      .describe('who signed in'),
    tokens,
  }),
  errors: ['invalid_credentials', 'rate_limited'],
  example: { body: { email: 'robin@northfield.example.edu', password: 'an-invented-password-1' } },
})

/** `POST /api/auth/signup`. */
export const signUp = route({
  ...call,
  id: 'signUp',
  path: '/api/auth/signup',
  summary: 'Makes an account, which begins when the mail that is sent is answered',
  description:
    'The answer is the same whether or not the address has an account already. 5 tries an address within an hour.',
  body: signUpRequest,
  response: z.object({
    success,
    verification_required: z.literal(true).describe('a mail was sent; its link confirms the address'),
  }),
  errors: ['weak_password', 'university_not_accepted', 'forbidden', 'rate_limited'],
  example: {
    body: {
      email: 'robin@northfield.example.edu',
      password: 'an-invented-password-1',
      first_name: 'Robin',
      last_name: 'Field',
      university_id: 'northfield',
    },
  },
})

/** `POST /api/auth/refresh`. */
export const refresh = route({
  ...call,
  id: 'refresh',
  path: '/api/auth/refresh',
  summary: 'Exchanges a refresh token for new tokens',
  description:
    'Keep the new refresh token: the old one is used up. Using it again later ends the session on all sides.',
  body: refreshRequest,
  response: z.object({ success, tokens }),
  errors: ['refresh_token_invalid', 'rate_limited'],
  example: { body: { refresh_token: 'v1-invented-refresh-token' } },
})
