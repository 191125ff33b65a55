import { Hono } from 'hono'
import type { AuthSettings, MailSender } from '../config.ts'
import { bearerOf, type Caller } from '../http/caller.ts'
import type { TokenSigner } from '../http/jwt.ts'
import type { MessageSink } from '../inbox/inbox.ts'
import { isAway } from '../postgres/errors.ts'
import { authenticate, sendReauthentication, updateAccount, updateBody } from './account.ts'
import { addAdminRoutes } from './admin.ts'
import { assertCaptcha } from './captcha.ts'
import { type AuthContext, bodyOf, connectAuth, type Env } from './context.ts'
import { AuthError, authErrorResponse, errors } from './errors.ts'
import { createMailer } from './mail.ts'
import { addFactorRoutes } from './mfa.ts'
import { openPasswords } from './passwords.ts'
import { redirectOf } from './redirects.ts'
import { endSessions } from './sessions.ts'
import { grantToken, linkBody, recover, resend, signInWithLink, tokenBody } from './sign-in.ts'
import { signUp, signUpBody } from './sign-up.ts'
import { userResponse } from './users.ts'
import { followLink, verifyBody, verifyToken } from './verify.ts'

export interface AuthServerOptions {
  adminUrl: string
  settings: AuthSettings
  sender: MailSender
  tokens: TokenSigner
  inbox: MessageSink
  apiUrl: string
  siteUrl: string
  projectDir: string
  passwordCost?: number
  factorRequestsPerMinute?: number
  log: (line: string) => void
}

export interface AuthServer {
  /** Handles a request to `/auth/v1/*`. The caller says whether the secret key was used. */
  fetch(request: Request, caller: Caller): Promise<Response>
  stop(): Promise<void>
}

const linkOf = (
  context: AuthContext,
  request: Request,
  body: { code_challenge?: string | null; code_challenge_method?: string | null },
) => ({
  redirectTo: redirectOf(request, context),
  codeChallenge: body.code_challenge ?? undefined,
  codeChallengeMethod: body.code_challenge_method ?? undefined,
})

const scopes = new Set(['local', 'others', 'global'] as const)
type Scope = 'local' | 'others' | 'global'
const isScope = (scope: string): scope is Scope => scopes.has(scope as Scope)

/** Routes of GoTrue that serve what is not here: other factors, providers and clients than an address and a password. */
const elsewhere =
  /^\/(authorize|callback|factors\/recovery-codes|passkeys|sso|saml|oauth|user\/(identities|oauth)|admin\/(audit|sso|oauth|custom-providers|users\/[^/]+\/(factors|passkeys)))(\/|$)/

/** NUL in a text or in JSON, which Postgres rejects wherever it arrives. */
const isUnstorable = (error: Error): boolean => {
  const { cause } = error
  const code =
    cause instanceof Error && 'code' in cause ? cause.code : 'code' in error ? error.code : undefined
  return code === '22021' || code === '22P05'
}

/** The part of GoTrue that email accounts need, on the tables of the platform's `auth` schema. */
export async function startAuth(options: AuthServerOptions): Promise<AuthServer> {
  const sql = connectAuth(options.adminUrl)
  const { settings, siteUrl } = options
  const passwords = await openPasswords(options.adminUrl, settings, options.passwordCost)
  const mailer = createMailer(options.inbox, settings, options.sender, siteUrl, options.projectDir)
  const context: AuthContext = {
    sql,
    settings,
    tokens: options.tokens,
    passwords,
    mailer,
    apiUrl: options.apiUrl,
    siteUrl,
  }
  const app = new Hono<Env>().basePath('/auth/v1')

  app.onError((error, c) => {
    if (error instanceof AuthError && error.status < 500) return authErrorResponse(error, c.req.raw)
    // A client keeps its session after a 503, and loses it when the refresh fails with 500.
    if (isAway(error)) {
      return authErrorResponse(new AuthError(503, 'unexpected_failure', 'Database unavailable'), c.req.raw)
    }
    if (isUnstorable(error)) {
      return authErrorResponse(
        errors.validation('The request has characters that cannot be stored'),
        c.req.raw,
      )
    }
    options.log(
      `auth: ${c.req.method} ${c.req.path}: ${error.cause instanceof Error ? error.cause.message : error.message}`,
    )
    return authErrorResponse(
      error instanceof AuthError ? error : errors.unexpected('Unexpected failure'),
      c.req.raw,
    )
  })
  app.notFound((c) => {
    const path = c.req.path.replace(/^\/auth\/v1/, '')
    return authErrorResponse(elsewhere.test(path) ? errors.notServed(path) : errors.noRoute(), c.req.raw)
  })

  app.use(async (c, next) => {
    await assertCaptcha(c.req.raw, settings, c.env.caller.role === 'service_role')
    await next()
  })

  app.get('/health', (c) =>
    c.json({
      version: 'local',
      name: 'GoTrue',
      description: 'GoTrue is a user registration and authentication API',
    }),
  )
  app.get('/settings', (c) =>
    c.json({
      external: { anonymous_users: false, email: settings.email.enable_signup, phone: false },
      disable_signup: !settings.enable_signup,
      mailer_autoconfirm: !settings.email.enable_confirmations,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    }),
  )
  app.get('/.well-known/jwks.json', (c) => {
    c.header('cache-control', 'public, max-age=600')
    return c.json(options.tokens.jwks())
  })
  app.get('/.well-known/openid-configuration', (c) => {
    const issuer = `${options.apiUrl}/auth/v1`
    return c.json({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json` })
  })

  app.post('/signup', async (c) => {
    const body = await bodyOf(c.req.raw, signUpBody)
    return c.json(await signUp(context, body, linkOf(context, c.req.raw, body), c.req.raw))
  })
  app.post('/token', async (c) =>
    c.json(
      await grantToken(
        context,
        c.req.query('grant_type') ?? null,
        await bodyOf(c.req.raw, tokenBody),
        c.req.raw,
      ),
    ),
  )
  app.get('/verify', (c) => followLink(context, c.req.raw))
  app.post('/verify', async (c) =>
    c.json(await verifyToken(context, await bodyOf(c.req.raw, verifyBody), c.req.raw)),
  )
  for (const [path, send] of [
    ['/recover', recover],
    ['/otp', signInWithLink],
    ['/magiclink', signInWithLink],
    ['/resend', resend],
  ] as const) {
    app.post(path, async (c) => {
      const body = await bodyOf(c.req.raw, linkBody)
      await send(context, body, linkOf(context, c.req.raw, body))
      return c.json({})
    })
  }

  app.get('/user', async (c) =>
    c.json(await userResponse(sql, (await authenticate(context, bearerOf(c.req.raw))).user)),
  )
  app.put('/user', async (c) => {
    const signedIn = await authenticate(context, bearerOf(c.req.raw))
    const body = await bodyOf(c.req.raw, updateBody)
    return c.json(await updateAccount(context, signedIn, body, linkOf(context, c.req.raw, body)))
  })
  app.get('/reauthenticate', async (c) => {
    await sendReauthentication(context, (await authenticate(context, bearerOf(c.req.raw))).user)
    return c.json({})
  })
  app.post('/logout', async (c) => {
    const scope = c.req.query('scope') ?? 'global'
    if (!isScope(scope)) throw errors.validation(`Unsupported logout scope "${scope}"`)
    const { user, session } = await authenticate(context, bearerOf(c.req.raw))
    await endSessions(sql, user.id, scope, session?.id)
    return c.body(null, 204)
  })

  addFactorRoutes(app, context, options.factorRequestsPerMinute)
  addAdminRoutes(app, context)

  return {
    fetch: async (request, caller) => app.fetch(request, { caller }),
    async stop() {
      await Promise.all([sql.end({ timeout: 2 }), passwords.stop()])
    },
  }
}
