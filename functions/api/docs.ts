import { createHash } from 'node:crypto'
import * as z from 'zod'
import { page } from '../_shared/http/page.ts'
import { jsonResponse } from '../_shared/http/response.ts'
import { type Route, route } from '../_shared/http/route.ts'
import { type App, type Services, serve } from '../_shared/http/serve.ts'
import type { OpenApiDocument } from '../_shared/openapi/openapi.ts'

const CACHE_CONTROL = 'public, max-age=300'

const openApiDocument = route({
  id: 'getOpenApiDocument',
  method: 'get',
  path: '/api/openapi.json',
  tag: 'Description',
  summary: 'Describes every call, as OpenAPI 3.1',
  security: 'none',
  response: z.looseObject({
    openapi: z.literal('3.1.1').describe('Version of OpenAPI'),
    info: z.looseObject({}).describe('Title and version of the interface'),
    paths: z.looseObject({}).describe('Every call by its path'),
    components: z.looseObject({}).describe('Schemas, headers and security schemes that calls share'),
  }),
  otherwise: { 304: 'The document is the one whose `ETag` was sent in `If-None-Match`.' },
})

const reference = route({
  id: 'readReference',
  method: 'get',
  path: '/api/docs',
  tag: 'Description',
  summary: 'Describes every call, as a page to read and print',
  security: 'none',
  response: z.string().describe('HTML'),
  produces: 'text/html',
})

/** `/api/openapi.json` and `/api/docs`. */
export const DOCS = [openApiDocument, reference] as const

/** Serves the description of `routes`. It is generated with the first request, so that no other call waits for it. */
export function serveDocs(api: App, services: Services, routes: readonly Route[]): void {
  const document = once(() => generateDocument(routes, services.environment.publicUrl))
  const etag = once(async () => {
    const digest = createHash('sha256').update(JSON.stringify(await document()))
    return `"${digest.digest('hex')}"`
  })

  serve(api, services, openApiDocument, async (_, { request, context: { requestId } }) => {
    const tag = await etag()
    const known = request.headers.get('if-none-match')?.split(',') ?? []
    const isKnown = known.some((given) => given.trim().replace(/^W\//, '') === tag)
    const full = jsonResponse(await document(), 200, requestId)
    full.headers.set('etag', tag)
    full.headers.set('cache-control', CACHE_CONTROL)
    if (!isKnown) return full
    full.headers.delete('content-type')
    return new Response(null, { status: 304, headers: full.headers })
  })

  const content = once(async () => {
    const { referencePage } = await import('../_shared/openapi/reference/page.ts')
    return referencePage(await document())
  })
  serve(api, services, reference, async (_, call) => page(await content(), call))
}

async function generateDocument(routes: readonly Route[], publicUrl: string): Promise<OpenApiDocument> {
  const { openApiDocumentOf } = await import('../_shared/openapi/document.ts')
  return openApiDocumentOf(routes, publicUrl)
}

/** Computes a value on first use, and again if that failed. */
function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= compute().catch((error) => {
      value = undefined
      throw error
    })
    return value
  }
}
