import type { HeaderObject, OpenApiDocument } from './openapi.ts'

/** What stands under each heading. */
export const TAGS: Readonly<Record<string, string>> = {
  'Check-ins': 'From the start of a check-in to its result.',
  'Assessment sessions': 'Analyses of one conversation in the app, and their score.',
  'Text model': 'A transcript, read by a language model.',
  Data: 'Rows of tables, as far as the caller may see and change them.',
  'Sign-in': 'Accounts and their tokens.',
  Storage: 'Files of a university and of its members.',
  Universities: 'What a university has set up.',
  Students: 'Students, for themselves and for the counselors whom they let.',
  Analytics: 'Figures about ten students or more.',
  Description: 'This description.',
  Workers: 'Called by the database alone.',
}

export const SECURITY_SCHEMES: OpenApiDocument['components']['securitySchemes'] = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access token of a signed-in person: from Supabase Auth, or from `POST /api/auth/signin`.',
  },
  databaseSecret: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret that the database and the workers share.',
  },
}

/** Headers of answers. */
export const HEADERS: Record<string, HeaderObject> = {
  'API-Version': {
    description: 'Version of the interface',
    required: true,
    schema: { type: 'string', pattern: '^\\d+\\.\\d+$' },
  },
  'X-Request-Id': {
    description: 'Finds the request in the log; the caller’s own where it sent one',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{8,64}$' },
  },
  'RateLimit-Limit': count('Calls that the limit allows in its period'),
  'RateLimit-Remaining': count('Calls that are left'),
  'RateLimit-Reset': count('Seconds until there are more'),
  'RateLimit-Policy': {
    description: 'The limit and its period, seconds',
    required: true,
    schema: { type: 'string', pattern: '^\\d+;w=\\d+$' },
  },
  'Retry-After': count('Seconds to wait'),
}

function count(description: string): HeaderObject {
  return { description, required: true, schema: { type: 'string', pattern: '^\\d+$' } }
}
