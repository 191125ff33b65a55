import * as z from 'zod'
import { line, storable } from '../http/fields.ts'

/** Short lower-case name of a university. */
export const universityId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'is a short name in lower case, such as northfield')
  .describe('Short name of the university.')

/** Rules of the table's check constraints, told in words before the database is asked. */
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'is a colour such as #1f4e79')
const httpsAddress = line(500).regex(/^https:\/\/[^\s"<>]+$/, 'is an address that begins with https://')
const website = line(500).regex(
  /^https?:\/\/[^\s"<>]+$/,
  'is an address that begins with http:// or https://',
)
const email = line(255).regex(/^[^@\s<>"]{1,64}@[^@\s<>"]{1,190}$/, 'is an email address')
const phone = z.string().regex(/^[+0-9][-0-9 ().]{1,29}$/, 'is a telephone number such as +1-202-555-0110')

/** Features that a university can switch on. */
export const feature = z.enum([
  'check_ins',
  'sessions',
  'text_model',
  'support_circle',
  'counselor_access',
  'training',
])

/** How often students are invited to check in. */
const assessmentFrequency = z.enum(['daily', 'twice_weekly', 'weekly', 'biweekly', 'monthly'])

const MOST_PRIVACY_CHARACTERS = 8000

/** Choices whose names are the university's own. */
const privacySettings = z
  .record(z.string().max(100), z.json())
  .refine(storableChoices, `is an object of at most ${MOST_PRIVACY_CHARACTERS} characters`)

function storableChoices(choices: Record<string, unknown>): boolean {
  let storableTexts = true
  const text = JSON.stringify(choices, (key, value) => {
    if (!storable(key) || (typeof value === 'string' && !storable(value))) storableTexts = false
    return value
  })
  return storableTexts && text.length <= MOST_PRIVACY_CHARACTERS
}

const resource = z.strictObject({
  name: line(200).min(1).describe('What the place is called.'),
  phone: phone.nullish().describe('Telephone number.'),
  website: website.nullish().describe('Address.'),
})

/** The body of `PUT /api/university/{universityId}`: what is absent stays as it is. */
export const universityChange = z
  .strictObject({
    name: line(200).min(1).optional().describe('Full name.'),
    branding: z
      .strictObject({
        logo_url: httpsAddress.nullish().describe('`null` takes it away.'),
        primary_color: colour.optional().describe('Main colour, #rrggbb.'),
        secondary_color: colour.optional().describe('Second colour, #rrggbb.'),
      })
      .optional()
      .describe('How the app looks.'),
    settings: z
      .strictObject({
        features_enabled: z
          .array(feature)
          .max(feature.options.length * 2)
          .transform((names) => [...new Set(names)])
          .optional()
          .describe('Features that are switched on; replaces all of them.'),
        assessment_frequency: assessmentFrequency
          .optional()
          .describe('How often students are invited to check in.'),
        privacy_settings: privacySettings.optional().describe('Replaces all of them.'),
      })
      .optional()
      .describe('What the university has chosen.'),
    contacts: z
      .strictObject({
        support_email: email.nullish().describe('`null` takes it away.'),
        crisis_phone: phone.nullish().describe('`null` takes it away.'),
        resources: z.array(resource).max(50).optional().describe('Replaces all of them.'),
      })
      .optional()
      .describe('Whom students can turn to.'),
  })
  .refine(
    ({ name, ...groups }) =>
      [name, ...Object.values(groups).flatMap((group) => Object.values(group ?? {}))].some(
        (value) => value !== undefined,
      ),
    'name at least one field to change',
  )

export type UniversityChange = z.output<typeof universityChange>
