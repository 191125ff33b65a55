import { JwtError, type TokenSigner } from '../auth/jwt.ts'
import { bearerOf } from './caller.ts'
import type { GatewayConfig } from './config.ts'

export interface FunctionsBackend {
  fetch(name: string, request: Request): Promise<Response>
}

const refusal = (message: string) => Response.json({ code: 401, message }, { status: 401 })

/**
 * Passes `/functions/v1/<name>/…` to the function, which sees `/<name>/…`, as on the platform. The body and the answer
 * stream.
 */
export async function callFunction(
  request: Request,
  backend: FunctionsBackend,
  settings: GatewayConfig['functions'],
  tokens: TokenSigner,
): Promise<Response> {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/functions\/v1/, '')
  const name = url.pathname.split('/')[1] ?? ''
  const entry = settings[name]
  if (!entry || !/^[\w-]+$/.test(name)) {
    return Response.json({ code: 'NOT_FOUND', message: 'Requested function was not found' }, { status: 404 })
  }
  // Browsers ask without a token; the function answers its own CORS questions.
  if (entry.verify_jwt && request.method !== 'OPTIONS') {
    const bearer = bearerOf(request)
    if (bearer === null) return refusal('Missing authorization header')
    try {
      tokens.verify(bearer)
    } catch (error) {
      if (error instanceof JwtError) return refusal('Invalid JWT')
      throw error
    }
  }
  return backend.fetch(name, new Request(new Request(url, request), { redirect: 'manual' }))
}
