import type { App } from '../_shared/http/app.ts'
import { page } from '../_shared/http/page.ts'
import { jsonResponse } from '../_shared/http/response.ts'
import { serve } from '../_shared/http/serve.ts'
import { openApiDocument, reference } from '../_shared/openapi/description.ts'
import type { OpenApiDocument } from '../_shared/openapi/openapi.ts'
import type { Services } from './services.ts'

const CACHE_CONTROL = 'public, max-age=300'

/** `/api/openapi.json` and `/api/docs`, each written with its first call, for the sake of all the others. */
export function descriptionRoutes(api: App, services: Services): void {
  const document = once(() => writeDocument(services.environment.publicUrl))
  const etag = once(async () => `"${await sha256(JSON.stringify(await document()))}"`)

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

async function writeDocument(publicUrl: string): Promise<OpenApiDocument> {
  const { openApiDocumentOf } = await import('../_shared/openapi/document.ts')
  const { ROUTES } = await import('../_shared/openapi/routes.ts')
  return openApiDocumentOf(ROUTES, publicUrl)
}

/** Makes a value with the first call, and again where that failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return new Uint8Array(digest).toHex()
}
