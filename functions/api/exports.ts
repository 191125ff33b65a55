import * as z from 'zod'
import { ServiceError } from '../_shared/errors.ts'
import {
  cancelExport,
  exportDetail,
  exportSummary,
  listExports,
  readExport,
  requestExport,
} from '../_shared/exports/requests.ts'
import { id } from '../_shared/fields.ts'
import { consumeAccountRateLimit } from '../_shared/http/rate-limit.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'

const EXPORT = '7d1f4a52-0c3b-4e8e-9a61-5b2c8f0d9e37'

const common = { tag: 'Privacy', security: 'user' } as const
const params = z.object({ id: id.describe('The export.') })

const request = endpoint(
  {
    ...common,
    id: 'requestExport',
    method: 'post',
    path: '/api/privacy/exports',
    summary: 'Asks for a copy of everything that is stored about the caller',
    description:
      'It is built in the background: `export` is broadcast on the private channel `account:{user id}` with each volume, and an email has a link to it when it is ready. One at a time, and three on a day where the person is. Everybody with an account may ask.',
    body: z.strictObject({
      include_name: z
        .boolean()
        .default(false)
        .describe('Whether the FHIR Patient has the name; without it the bundle can be passed on unnamed.'),
    }),
    status: 202,
    response: exportDetail,
    errors: ['export_running', 'export_limit', 'rate_limited'],
    example: { body: { include_name: false } },
  },
  async ({ body: { include_name } }, call) => {
    await countCall(call)
    const { database, supabase, environment, caller, context, request } = call
    const origin = {
      address: clientAddress(request),
      userAgent: request.headers.get('user-agent'),
      requestId: context.requestId,
    }
    try {
      const exported = await requestExport(database, caller.userId, include_name, origin)
      return await readExport(database, supabase, environment.publicUrl, caller.userId, exported)
    } catch (error) {
      if (error instanceof ServiceError && error.details?.retry_after_s !== undefined) {
        context.headers.set('retry-after', String(error.details.retry_after_s))
      }
      throw error
    }
  },
)

const list = endpoint(
  {
    ...common,
    id: 'listExports',
    method: 'get',
    path: '/api/privacy/exports',
    summary: "Lists the caller's exports of the last 90 days, the newest first",
    response: z.strictObject({ exports: z.array(exportSummary).describe('At most 100.') }),
    errors: ['rate_limited'],
  },
  async (_, call) => {
    await countCall(call)
    return { exports: await listExports(call.database, call.caller.userId) }
  },
)

const read = endpoint(
  {
    ...common,
    id: 'readExport',
    method: 'get',
    path: '/api/privacy/exports/{id}',
    summary: "Reads one of the caller's exports, with addresses to download it from once it is ready",
    description:
      'An address works for an hour, not beyond `expires_at`, and needs no token; each call returns new ones, for seven days from when the export is ready.',
    params,
    response: exportDetail,
    errors: ['export_not_found', 'rate_limited'],
    example: { params: { id: EXPORT } },
  },
  async ({ params: { id } }, call) => {
    await countCall(call)
    const { database, supabase, environment, caller } = call
    return readExport(database, supabase, environment.publicUrl, caller.userId, id)
  },
)

const cancel = endpoint(
  {
    ...common,
    id: 'cancelExport',
    method: 'delete',
    path: '/api/privacy/exports/{id}',
    summary: "Cancels one of the caller's exports, or deletes its files before their time",
    description: 'Also ends the link in the email. An export that has ended already stays as it is.',
    params,
    response: exportDetail,
    errors: ['export_not_found', 'rate_limited'],
    example: { params: { id: EXPORT } },
  },
  async ({ params: { id } }, call) => {
    await countCall(call)
    const { database, supabase, environment, caller } = call
    await cancelExport(database, caller.userId, id)
    return readExport(database, supabase, environment.publicUrl, caller.userId, id)
  },
)

/** `/api/privacy/exports`: what is stored of a person, for them to take along. */
export const EXPORTS = [request, list, read, cancel] as const

/** Counts a call, also of an account that lost its role. */
function countCall({ database, context, caller }: Call): Promise<void> {
  return consumeAccountRateLimit(database, context, caller.userId)
}
