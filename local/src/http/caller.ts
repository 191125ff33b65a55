import { type Claims, JwtError, type TokenSigner } from './jwt.ts'

export interface ApiKeys {
  /** `sb_publishable_…` */
  publishable: string
  /** `sb_secret_…` */
  secret: string
  /** Keys that are valid besides, as while one is replaced. */
  further?: { publishable: string; secret: string }[]
}

/** Who a request comes from: the Postgres role it acts as and the claims that policies read. */
export interface Caller {
  role: string
  claims: Claims
  /** The user's own token, when the request carries one. */
  token?: string
}

export type CallerResult =
  | { caller: Caller; fault?: undefined; error?: undefined }
  | { fault: 'no_key' | 'bad_key' | 'bad_token'; error?: JwtError; caller?: undefined }

/** The key of a request: the `apikey` header or query parameter. */
export function apiKeyOf(request: Request): string | null {
  return request.headers.get('apikey') ?? new URL(request.url).searchParams.get('apikey')
}

export function bearerOf(request: Pick<Request, 'headers'>): string | null {
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}

export interface CallerReader {
  /** The role that a key stands for: opaque keys, or legacy HS256 tokens of `anon` and `service_role`. */
  roleOfKey(key: string): 'anon' | 'service_role' | null
  /**
   * Reads the caller from the key and the Authorization header. supabase-js repeats the key as a bearer token when
   * nobody is signed in; such a bearer token counts as the key.
   */
  read(request: Request, options: { keyRequired: boolean }): CallerResult
}

export function createCallerReader(keys: ApiKeys, tokens: TokenSigner): CallerReader {
  function roleOfKey(key: string) {
    const valid = [keys, ...(keys.further ?? [])]
    if (valid.some(({ publishable }) => key === publishable)) return 'anon'
    if (valid.some(({ secret }) => key === secret)) return 'service_role'
    if (key.startsWith('sb_')) return null
    try {
      const { role } = tokens.verify(key)
      return role === 'anon' || role === 'service_role' ? role : null
    } catch {
      return null
    }
  }

  function read(request: Request, { keyRequired }: { keyRequired: boolean }): CallerResult {
    const key = apiKeyOf(request)
    const bearer = bearerOf(request)
    if (key === null && keyRequired) return { fault: 'no_key' }
    const keyRole = key === null ? null : roleOfKey(key)
    if (key !== null && keyRole === null && keyRequired) return { fault: 'bad_key' }
    if (bearer === null || bearer === key || bearer.startsWith('sb_')) {
      const role = keyRole ?? (bearer === null ? null : roleOfKey(bearer)) ?? 'anon'
      return { caller: { role, claims: { role } } }
    }
    try {
      const claims = tokens.verify(bearer)
      const role = typeof claims.role === 'string' ? claims.role : 'anon'
      return { caller: { role, claims, token: bearer } }
    } catch (error) {
      if (error instanceof JwtError) return { fault: 'bad_token', error }
      throw error
    }
  }

  return { roleOfKey, read }
}
