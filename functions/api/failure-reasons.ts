import * as z from 'zod'
import { wantedLanguages } from '../_shared/fields.ts'
import { cacheableResponse, etagOf } from '../_shared/http/cacheable.ts'
import { consumeOpenRateLimit } from '../_shared/http/rate-limit.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'

const failureReason = z.strictObject({
  code: z.string().describe('Code of an error, or reason of a part of a check-in.'),
  language: z.string().describe('Language of the words, a BCP 47 tag.'),
  title: z.string().describe('What happened, one sentence.'),
  advice: z.string().describe('What the student can do about it.'),
})

const listFailureReasons = endpoint(
  {
    id: 'listFailureReasons',
    method: 'get',
    path: '/api/failure-reasons',
    tag: 'Description',
    summary: 'Says in words to a student what each error and each reason means',
    description:
      'For an app to show, before sign-in too. Of each code the words in the first of the wanted languages that it has (`de` also for `de-AT`), else in English. Responses may be cached for five minutes.',
    security: 'none',
    query: z.strictObject({ languages: wantedLanguages.optional() }),
    response: z.strictObject({ reasons: z.array(failureReason).describe('By code.') }),
    otherwise: { 304: 'The words are those whose `ETag` was sent in `If-None-Match`.' },
    errors: ['rate_limited'],
    example: { query: { languages: 'de-AT,en' } },
  },
  async ({ query: { languages } }, { database, context, request }) => {
    await consumeOpenRateLimit(database, context, clientAddress(request) ?? 'unknown', 'failure-reasons')
    const rows = await database`
      select code, language, title, advice from private.failure_reasons_in(${languages ?? []}::text[])`
    const body = { reasons: z.array(failureReason).parse([...rows]) }
    return cacheableResponse(body, etagOf(body), { request, context })
  },
)

/** `/api/failure-reasons`. */
export const FAILURE_REASONS = [listFailureReasons] as const
