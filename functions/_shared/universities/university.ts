import * as z from 'zod'
import type { Database } from '../../../types/database.ts'
import { ServiceError } from '../errors.ts'
import { line, storable } from '../fields.ts'
import { json, jsonObject } from '../json.ts'

/** Short lower-case name of a university. */
export const universityId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'is a short name in lower case, such as northfield')
  .describe('Short name of the university.')

/** The rules of the table's check constraints, checked here first for the sake of a readable message. */
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'is a colour such as #1f4e79')
const httpsAddress = line(500).regex(/^https:\/\/[^\s"<>]+$/, 'is an address that begins with https://')
const website = line(500).regex(
  /^https?:\/\/[^\s"<>]+$/,
  'is an address that begins with http:// or https://',
)
const email = line(255).regex(/^[^@\s<>"]{1,64}@[^@\s<>"]{1,190}$/, 'is an email address')
const phone = z.string().regex(/^[+0-9][-0-9 ().]{1,29}$/, 'is a telephone number such as +1-202-555-0110')

/** Features that a university can switch on. */
const feature = z.enum(['check_ins', 'sessions', 'support_circle', 'counselor_access'])

/** How often students are invited to check in. */
const assessmentFrequency = z.enum(['daily', 'twice_weekly', 'weekly', 'biweekly', 'monthly'])

const MAX_PRIVACY_CHARACTERS = 8000

/** Choices whose names are up to the university. */
const privacySettings = z
  .record(z.string().max(100), json)
  .refine(storableChoices, `is an object of at most ${MAX_PRIVACY_CHARACTERS} characters`)

function storableChoices(choices: Record<string, unknown>): boolean {
  let storableTexts = true
  const text = JSON.stringify(choices, (key, value) => {
    if (!storable(key) || (typeof value === 'string' && !storable(value))) storableTexts = false
    return value
  })
  return storableTexts && text.length <= MAX_PRIVACY_CHARACTERS
}

const resource = z.strictObject({
  name: line(200).min(1).describe('What the place is called.'),
  phone: phone.nullish().describe('Telephone number.'),
  website: website.nullish().describe('Address.'),
})

/** A change of a university: what is absent stays as it is. */
export const universityChange = z
  .strictObject({
    name: line(200).min(1).optional().describe('Full name.'),
    branding: z
      .strictObject({
        logo_url: httpsAddress.nullish().describe('`null` removes it.'),
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
          .describe('What students can use; replaces all of them.'),
        assessment_frequency: assessmentFrequency
          .optional()
          .describe('How often the app invites students to check in.'),
        privacy_settings: privacySettings.optional().describe('Replaces all of them.'),
      })
      .optional()
      .describe('What the university has chosen.'),
    contacts: z
      .strictObject({
        support_email: email.nullish().describe('`null` removes it.'),
        crisis_phone: phone.nullish().describe('`null` removes it.'),
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

type UniversityChange = z.output<typeof universityChange>

type Table = Database['public']['Tables']['universities']

/** Columns of a university. */
export const COLUMNS =
  'id, name, short_name, domain, logo_url, primary_color, secondary_color, features_enabled, assessment_frequency, privacy_settings, support_email, crisis_phone, resources'

type Row = Omit<
  Table['Row'],
  | 'accepts_other_domains'
  | 'archived_at'
  | 'country'
  | 'created_at'
  | 'languages'
  | 'time_zone'
  | 'updated_at'
>

const resources = z.array(
  z.object({
    name: z.string(),
    phone: z
      .string()
      .nullish()
      .transform((phone) => phone ?? null),
    website: z
      .string()
      .nullish()
      .transform((website) => website ?? null),
  }),
)

const branding = z
  .strictObject({
    logo_url: z.string().optional().describe('Absent if there is none.'),
    primary_color: z.string().describe('#rrggbb'),
    secondary_color: z.string().describe('#rrggbb'),
  })
  .describe('How the app looks.')

const help = z.strictObject({
  name: z.string().describe('What it is called.'),
  phone: z.string().nullable().describe('Telephone number.'),
  website: z.string().nullable().describe('Address.'),
})

/** The domain of an email address, in lower case. */
export const mailDomain = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i,
    'is the domain of an email address, such as example.edu',
  )
  .transform((domain) => domain.toLowerCase())
  .describe('What follows the @ of an email address; in ASCII (`xn--…`) where it has letters such as ü.')

/** What anybody may know of the universities of a domain. */
export const openUniversities = z.array(
  z.strictObject({
    id: z.string().describe('Short name, used as `university_id` everywhere.'),
    name: z.string().describe('Full name.'),
    short_name: z.string().describe('Name for small screens.'),
    branding,
    languages: z.array(z.string()).describe('BCP 47 tags of the languages it uses, the default first.'),
    crisis_resources: z
      .array(help)
      .describe(
        'Whom to turn to in a crisis: at the university, the emergency number of its country, a directory.',
      ),
  }),
)

/** A university as the service returns it. */
export const university = z.strictObject({
  id: z.string().describe('Short name, used as `university_id` everywhere.'),
  name: z.string().describe('Full name.'),
  short_name: z.string().describe('Name for small screens.'),
  domain: z.string().describe('Mail domain by which a new account is assigned to the university.'),
  branding,
  settings: z
    .strictObject({
      features_enabled: z
        .array(feature)
        .describe('What students can use; of what is absent nothing can be begun.'),
      assessment_frequency: assessmentFrequency.describe('How often the app invites students to check in.'),
      privacy_settings: jsonObject.describe("The university's privacy choices."),
    })
    .describe('What the university has chosen.'),
  contacts: z
    .strictObject({
      support_email: z.string().nullable().describe('Student support office.'),
      crisis_phone: z.string().nullable().describe('Answered at any hour.'),
      resources: z.array(help).describe('Help on campus.'),
    })
    .describe('Whom students can turn to.'),
})

export type University = z.output<typeof university>

/** Universities as `private.universities_for_domain` has them, as the service returns them. */
export function openUniversitiesOf(rows: unknown): z.output<typeof openUniversities> {
  return openUniversities.parse(z.array(z.looseObject({ crisis_resources: resources })).parse(rows))
}

/** A row of the table as the service returns it. */
export function universityOf(row: Row): University {
  return university.parse({
    id: row.id,
    name: row.name,
    short_name: row.short_name,
    domain: row.domain,
    branding: {
      ...(row.logo_url !== null && { logo_url: row.logo_url }),
      primary_color: row.primary_color,
      secondary_color: row.secondary_color,
    },
    settings: {
      features_enabled: row.features_enabled,
      assessment_frequency: row.assessment_frequency,
      privacy_settings: row.privacy_settings,
    },
    contacts: {
      support_email: row.support_email,
      crisis_phone: row.crisis_phone,
      resources: resources.parse(row.resources),
    },
  })
}

/** The columns that a change sets and no others, so that concurrent changes of different fields are all kept. */
export function columnsOf({ name, branding, settings, contacts }: UniversityChange): Table['Update'] {
  return { name, ...branding, ...settings, ...contacts }
}

/** The error of values that the table's rules do not allow; null if the database reports anything else. */
export function invalidChange(error: { code: string; message: string }): ServiceError | null {
  if (error.code !== '23514') return null
  const field = /"universities_(\w+)_(?:form|length|known|object|array|size)"/.exec(error.message)?.[1] ?? ''
  const problem = 'is not allowed'
  return new ServiceError(
    'invalid_parameters',
    `Check the field ${field || 'that was changed'}: ${problem}`,
    {
      issues: [{ field, problem }],
    },
  )
}
