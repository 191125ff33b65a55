import * as z from 'zod'
import { cacheableResponse, etagOf } from '../_shared/http/cacheable.ts'
import { page } from '../_shared/http/page.ts'
import type { Route } from '../_shared/http/route.ts'
import { endpoint, type Services } from '../_shared/http/serve.ts'
import { json, jsonObject } from '../_shared/json.ts'
import type { OpenApiDocument } from '../_shared/openapi/openapi.ts'
import { CHANNELS } from './channels.ts'

/**
 * `/api/openapi.json` and `/api/docs`: the description of these routes. It is generated with the first request, so that no other
 * call waits for it.
 */
export function docsOf(routes: () => readonly Route[]) {
  const document = once(({ publicUrl }) => generateDocument(routes(), publicUrl))
  const etag = once(async (environment) => etagOf(await document(environment)))

  const getOpenApiDocument = endpoint(
    {
      id: 'getOpenApiDocument',
      method: 'get',
      path: '/api/openapi.json',
      tag: 'Description',
      summary: 'Describes every call, as OpenAPI 3.1',
      security: 'none',
      response: z
        .object({
          openapi: z.literal('3.1.1').describe('Version of OpenAPI'),
          info: jsonObject.describe('Title and version of the interface'),
          paths: jsonObject.describe('Every call by its path'),
          components: jsonObject.describe('Schemas, headers and security schemes that calls share'),
        })
        .catchall(json),
      otherwise: { 304: 'The document is the one whose `ETag` was sent in `If-None-Match`.' },
    },
    async (_, call) =>
      cacheableResponse(await document(call.environment), await etag(call.environment), call),
  )

  const readReference = endpoint(
    {
      id: 'readReference',
      method: 'get',
      path: '/api/docs',
      tag: 'Description',
      summary: 'Describes every call, as pages to read and print, with a search',
      security: 'none',
      query: z.object({
        of: z
          .string()
          .max(100)
          .catch('')
          .describe('The heading whose page is shown; without it the contents of all'),
        q: z
          .string()
          .trim()
          .max(100)
          .catch('')
          .describe('Words that a call, a channel or a schema has to have'),
      }),
      response: z.string().describe('HTML'),
      produces: 'text/html',
      otherwise: { 404: 'A page that says that there is no such heading, with the contents of all.' },
    },
    async ({ query }, call) => {
      const { referencePage } = await import('../_shared/openapi/reference/page.ts')
      const content = referencePage(await document(call.environment), query)
      return page(content, call, { status: content.status })
    },
  )

  return [getOpenApiDocument, readReference] as const
}

async function generateDocument(routes: readonly Route[], publicUrl: string): Promise<OpenApiDocument> {
  const { openApiDocumentOf } = await import('../_shared/openapi/document.ts')
  return openApiDocumentOf(routes, publicUrl, CHANNELS)
}

/** Computes a value of the function's environment on first use, and again if that failed. */
function once<Value>(
  compute: (environment: Services['environment']) => Promise<Value>,
): (environment: Services['environment']) => Promise<Value> {
  let value: Promise<Value> | undefined
  return (environment) => {
    value ??= compute(environment).catch((error) => {
      value = undefined
      throw error
    })
    return value
  }
}
