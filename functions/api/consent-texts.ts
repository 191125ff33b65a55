import * as z from 'zod'
import { wantedLanguages } from '../_shared/fields.ts'
import { cacheableResponse, etagOf } from '../_shared/http/cacheable.ts'
import { consumeOpenRateLimit } from '../_shared/http/rate-limit.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'

const consentText = z.strictObject({
  kind: z
    .enum(['audio', 'camera', 'text', 'support_circle', 'counselor_access', 'research_export'])
    .describe('What is agreed to.'),
  version: z
    .string()
    .describe('What `grant_consents` is called with once the student has agreed to this text.'),
  language: z.string().describe('Language of the text, a BCP 47 tag.'),
  title: z.string().describe('Heading.'),
  body: z.string().describe('Plain text; an empty line separates paragraphs.'),
  effective_from: z.iso.datetime({ offset: true }).describe('Since when it has been in effect.'),
})

const listConsentTexts = endpoint(
  {
    tag: 'Consent',
    security: 'none',
    id: 'listConsentTexts',
    method: 'get',
    path: '/api/consent-texts',
    summary: 'Lists the newest text of each kind of consent',
    description:
      'For an app to show before or after sign-in. Of each kind the newest version in effect, in the first of the wanted languages that it has (`de` also for `de-AT`), else in English. Responses may be cached for five minutes. Earlier versions: the table `consent_texts`, once signed in.',
    query: z.strictObject({ languages: wantedLanguages.optional() }),
    response: z.strictObject({ texts: z.array(consentText).describe('By kind.') }),
    otherwise: { 304: 'The texts are those whose `ETag` was sent in `If-None-Match`.' },
    errors: ['rate_limited'],
    example: { query: { languages: 'de-AT,en' } },
  },
  async ({ query: { languages } }, { database, context, request }) => {
    await consumeOpenRateLimit(database, context, clientAddress(request) ?? 'unknown', 'consent-texts')
    const rows = await database`
      select kind, version, language, title, body, effective_from
      from private.newest_consent_texts(${languages ?? []}::text[])`
    const shown = rows.map((row) => ({ ...row, effective_from: new Date(row.effective_from).toISOString() }))
    const body = { texts: z.array(consentText).parse(shown) }
    return cacheableResponse(body, etagOf(body), { request, context })
  },
)

/** `/api/consent-texts`. */
export const CONSENT_TEXTS = [listConsentTexts] as const
