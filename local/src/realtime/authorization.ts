import { type Claims, JwtError, type TokenSigner } from '../http/jwt.ts'
import type { Address } from './hub.ts'
import type { Extension, Identity, Permissions, Policies } from './policies.ts'

const longestTimerMs = 3_600_000
const nothing: Permissions = { broadcast: false, presence: false }
const everything: Permissions = { broadcast: true, presence: true }

/** Whom a channel acts for at the moment, and what they may do in the topic. */
export class Authorization {
  readonly #address: Address
  readonly #keyRole: string
  readonly #tokens: TokenSigner
  readonly #policies: Policies
  #token: string | undefined
  #identity: Identity | undefined
  #read = nothing
  readonly #write = new Map<Extension, boolean>()
  #expiry: NodeJS.Timeout | undefined

  /** `keyRole` is the role of the API key, which counts where there is no token. */
  constructor(address: Address, keyRole: string, tokens: TokenSigner, policies: Policies) {
    this.#address = address
    this.#keyRole = keyRole
    this.#tokens = tokens
    this.#policies = policies
  }

  /** What may be read, as of the last token. */
  get read(): Permissions {
    return this.#read
  }

  /** Whether a token would change nothing: the present one, or an API key. */
  isUnchangedBy(token: string): boolean {
    return token === this.#token || token.startsWith('sb_')
  }

  /**
   * Takes on a token, and asks anew what it may do.
   *
   * @throws TokenError, DatabaseUnavailable
   */
  async adopt(token: string | undefined): Promise<void> {
    const identity = identify(token, this.#keyRole, this.#tokens)
    const { topic, private: isPrivate } = this.#address
    const read = isPrivate ? await this.#policies.mayRead(topic, identity) : everything
    this.#token = token
    this.#identity = identity
    this.#read = read
    this.#write.clear()
  }

  /**
   * Whether the topic may be written to; asked once for each token.
   *
   * @throws DatabaseUnavailable
   */
  async mayWrite(extension: Extension): Promise<boolean> {
    if (!this.#address.private) return true
    if (!this.#identity) return false
    const known = this.#write.get(extension)
    if (known !== undefined) return known
    const allowed = await this.#policies.mayWrite(this.#address.topic, this.#identity, extension)
    this.#write.set(extension, allowed)
    return allowed
  }

  /** Calls back when the present token has expired, with the whole seconds since then. */
  watchExpiry(onExpired: (secondsAgo: number) => void): void {
    clearTimeout(this.#expiry)
    const expiresAt = this.#identity?.expiresAt
    if (expiresAt === undefined) return
    const left = Math.max(expiresAt - Date.now(), 0)
    const look = (): void => {
      const since = Date.now() - expiresAt
      if (since < 0) this.watchExpiry(onExpired)
      else onExpired(Math.floor(since / 1000))
    }
    this.#expiry = setTimeout(look, Math.min(left + 1, longestTimerMs))
  }

  stopWatching(): void {
    clearTimeout(this.#expiry)
  }
}

/** Why a token was rejected, with Realtime's own code and message. */
export class TokenError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const missingClaims = (): TokenError =>
  new TokenError('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT')

/**
 * Whom a token stands for. A missing token, and an API key in its place, stand for the key that the client
 * connected with.
 *
 * @throws TokenError
 */
export function identify(token: string | undefined, keyRole: string, tokens: TokenSigner): Identity {
  if (token === undefined || token.startsWith('sb_')) return { role: keyRole, claims: { role: keyRole } }
  const claims = verify(token, tokens)
  if (typeof claims.role !== 'string' || typeof claims.exp !== 'number') throw missingClaims()
  return { role: claims.role, claims, expiresAt: claims.exp * 1000 }
}

function verify(token: string, tokens: TokenSigner): Claims {
  try {
    return tokens.verify(token)
  } catch (error) {
    if (!(error instanceof JwtError)) throw error
    if (error.fault === 'expired') {
      throw new TokenError('InvalidJWTToken', `Token has expired ${secondsSinceExpiry(token)} seconds ago`)
    }
    if (error.fault === 'malformed') {
      throw new TokenError('MalformedJWT', 'The token provided is not a valid JWT')
    }
    throw new TokenError('JwtSignatureError', 'Failed to validate JWT signature')
  }
}

/** Of a token whose signature was found valid. */
function secondsSinceExpiry(token: string): number {
  const claims: { exp?: number } = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
  )
  return Math.floor(Date.now() / 1000) - Math.floor(claims.exp ?? 0)
}
