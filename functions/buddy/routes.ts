import * as z from 'zod'
import { route } from '../_shared/http/route.ts'

const EXAMPLE = { token: '5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a4c6b8d0f1e3a5c7b9d1f3e5a7c9b0d2f' }

const common = {
  tag: 'Support circle',
  security: 'none',
  // Whose link it is has to reach it wherever they are.
  reachable: ['in_block'],
  params: z.object({ token: z.string().describe('From the text message') }),
  response: z.string().describe('HTML'),
  produces: 'text/html',
} as const

const otherwise = {
  404: 'A page that says that the link does not work.',
  410: 'A page that says that the link has expired, or that the request was ended.',
  429: 'A page that says how long to wait: too many links that do not work were opened from the address.',
}

const form = {
  body: z.union([
    z.object({
      response: z
        .enum(['called', 'messaged', 'unavailable'])
        .describe('The answer; `Called`, `Messaged` and `Unavailable` are taken too.'),
    }),
    z.object({
      form: z.literal('stop').describe('The form to stop with.'),
      stop: z.literal('yes').describe('Ends being a contact.'),
    }),
  ]),
  consumes: 'application/x-www-form-urlencoded',
  otherwise: { ...otherwise, 422: 'The page again: nothing was chosen.' },
  example: { params: EXAMPLE, body: { response: 'messaged' } },
} as const

/** `GET /buddy/checkin/{token}`. */
export const showBuddyCheckIn = route({
  ...common,
  id: 'showBuddyCheckIn',
  method: 'get',
  path: '/buddy/checkin/{token}',
  summary: 'The page on which a contact answers the request of a student',
  description: 'Needs no JavaScript and loads nothing. Opening it, however often, changes nothing.',
  otherwise,
  example: { params: EXAMPLE },
})

/** `POST /buddy/checkin/{token}`. */
export const answerBuddyCheckIn = route({
  ...common,
  ...form,
  id: 'answerBuddyCheckIn',
  method: 'post',
  path: '/buddy/checkin/{token}',
  summary: "The page's forms: stores the contact's answer, the first one only, or ends being a contact",
})

/** `GET /buddy/alert/{token}`. */
export const showBuddyAlert = route({
  ...common,
  id: 'showBuddyAlert',
  method: 'get',
  path: '/buddy/alert/{token}',
  summary: 'The page on which a contact answers an automated alert',
  description: 'As that of a request; it holds no score, risk or word of the student.',
  otherwise,
  example: { params: EXAMPLE },
})

/** `POST /buddy/alert/{token}`. */
export const answerBuddyAlert = route({
  ...common,
  ...form,
  id: 'answerBuddyAlert',
  method: 'post',
  path: '/buddy/alert/{token}',
  summary: "The page's forms: stores the contact's answer, the first one only, or ends being a contact",
  description: '`called` and `messaged` end the alert.',
})
