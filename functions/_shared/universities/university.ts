import * as z from 'zod'
import type { Database } from '../../../types/database.ts'
import { ServiceError } from '../errors.ts'
import { feature, type UniversityChange } from './requests.ts'

type Table = Database['public']['Tables']['universities']

/** Columns that a university is made of. */
export const COLUMNS =
  'id, name, short_name, domain, logo_url, primary_color, secondary_color, features_enabled, assessment_frequency, privacy_settings, support_email, crisis_phone, resources'

type Row = Omit<Table['Row'], 'accepts_other_domains' | 'created_at' | 'updated_at'>

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

/** A university as the service answers with it. */
export const university = z.strictObject({
  id: z.string().describe('Short name, used as `university_id` everywhere.'),
  name: z.string().describe('Full name.'),
  short_name: z.string().describe('Name for small screens.'),
  domain: z.string().describe('Mail domain by which a new account is assigned to the university.'),
  branding: z
    .strictObject({
      logo_url: z.string().optional().describe('Absent where there is none.'),
      primary_color: z.string().describe('#rrggbb'),
      secondary_color: z.string().describe('#rrggbb'),
    })
    .describe('How the app looks.'),
  settings: z
    .strictObject({
      features_enabled: z.array(feature).describe('Features that are switched on.'),
      assessment_frequency: z.string().describe('How often students are invited to check in.'),
      privacy_settings: z.record(z.string(), z.unknown()).describe("The university's privacy choices."),
    })
    .describe('What the university has chosen.'),
  contacts: z
    .strictObject({
      support_email: z.string().nullable().describe('Student support office.'),
      crisis_phone: z.string().nullable().describe('Answered at any hour.'),
      resources: z
        .array(
          z.strictObject({
            name: z.string().describe('What it is called.'),
            phone: z.string().nullable().describe('Telephone number.'),
            website: z.string().nullable().describe('Address.'),
          }),
        )
        .describe('Help on campus.'),
    })
    .describe('Whom students can turn to.'),
})

export type University = z.output<typeof university>

/** A row of the table as the service answers with it. */
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

/** The columns that a change sets, and no other, so that changes of different fields at the same time all count. */
export function columnsOf({ name, branding, settings, contacts }: UniversityChange): Table['Update'] {
  return { name, ...branding, ...settings, ...contacts }
}

/** The refusal of values that the table's rules do not allow; `null` when the error is another. */
export function refusalOf(error: { code: string; message: string }): ServiceError | null {
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
