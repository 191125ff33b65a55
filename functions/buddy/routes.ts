import * as z from 'zod'
import { route } from '../_shared/http/route.ts'
import { LANGUAGES } from '../_shared/languages.ts'

const EXAMPLE = { token: 'kf6Zr3QGT5a0m2bW8xYc1w' }

const language = z
  .enum(LANGUAGES)
  .optional()
  .catch(undefined)
  .describe("Language of the page; without it the contact's own.")

const common = {
  tag: 'Support circle',
  security: 'none',
  // Whose link it is has to reach it wherever they are: somebody may be in danger.
  reachable: ['in_block', 'past_policies'],
  params: z.object({ token: z.string().describe('From the text message: 22 characters') }),
  query: z.object({ language }),
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

const settings = {
  ...common,
  path: '/buddy/settings/{token}',
  // Nobody is in danger meanwhile.
  reachable: ['in_block'],
  params: z.object({ token: z.string().describe('Of a text, or of the email by which they agreed') }),
} as const

/** `GET /buddy/settings/{token}`. */
export const showBuddySettings = route({
  ...settings,
  id: 'showBuddySettings',
  method: 'get',
  summary: 'The page on which a contact chooses their time zone and language',
  description: 'Pages that a text or the email leads to link to it.',
  otherwise: { 404: otherwise[404], 429: otherwise[429] },
  example: { params: EXAMPLE },
})

/** `POST /buddy/settings/{token}`. */
export const changeBuddySettings = route({
  ...settings,
  id: 'changeBuddySettings',
  method: 'post',
  summary: "The page's form: stores time zone, language, and whether texts may come at night",
  description: 'Texts that wait are sent when it is day in the zone that was chosen.',
  body: z.object({
    time_zone: z.string().describe('IANA name, one of those on the page.'),
    texts_at_night: z.literal('yes').optional().describe('Texts may come at night.'),
    language: z.enum(LANGUAGES).describe('Language of messages and pages.'),
  }),
  consumes: 'application/x-www-form-urlencoded',
  otherwise: {
    404: otherwise[404],
    422: 'The page again: all that is missing, and what was chosen.',
    429: otherwise[429],
  },
  example: { params: EXAMPLE, body: { time_zone: 'Europe/Dublin', language: 'en' } },
})
