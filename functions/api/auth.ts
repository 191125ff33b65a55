import { signInWithPassword, toldWhenToRetry } from '../_shared/accounts/password-sign-in.ts'
import { refreshRefusal, signUpRefusal } from '../_shared/accounts/refusals.ts'
import * as routes from '../_shared/accounts/routes.ts'
import { checkUniversity } from '../_shared/accounts/university.ts'
import type { App } from '../_shared/http/app.ts'
import { log } from '../_shared/http/log.ts'
import { pause } from '../_shared/http/pause.ts'
import { callerClient, signInClient } from '../_shared/http/project-client.ts'
import { consumeOpenRateLimit } from '../_shared/http/rate-limit.ts'
import { type Call, serve } from '../_shared/http/serve.ts'
import type { Services } from './services.ts'

/** Auth answers sooner for an address that has an account already. Its usual time is below this, milliseconds. */
const SIGN_UP_MS = 1000

type Session = { access_token: string; refresh_token: string; expires_in: number }

/** `/api/auth/*`, over Supabase Auth. */
export function authRoutes(api: App, services: Services): void {
  const { environment, database } = services

  serve(api, services, routes.signIn, async ({ body }, call) => {
    const { user, session } = await signInWithPassword(services, call, body)
    const caller = { userId: user.id, token: session.access_token }
    return {
      success: true as const,
      user: {
        id: user.id,
        email: user.email ?? body.email,
        email_verified: Boolean(user.email_confirmed_at),
        ...(await namesOf({ ...call, caller })),
      },
      tokens: tokensOf(session),
    }
  })

  serve(api, services, routes.signUp, async ({ body }, call) => {
    const { email, password, ...data } = body
    await consumeOpenRateLimit(database, call.context, email, 'sign-up')
    if (data.university_id !== undefined) await checkUniversity(database, email, data.university_id)
    const evenly = pause(SIGN_UP_MS)
    const { error } = await signInClient(environment, call).auth.signUp({
      email,
      password,
      options: { data },
    })
    const refusal = error && signUpRefusal(error)
    if (refusal) throw toldWhenToRetry(refusal, call)
    await evenly
    if (error) log('warn', 'sign_up_without_mail', { code: error.code })
    return { success: true as const, verification_required: true as const }
  })

  serve(api, services, routes.refresh, async ({ body: { refresh_token } }, call) => {
    await consumeOpenRateLimit(database, call.context, refresh_token, 'refresh')
    const { data, error } = await signInClient(environment, call).auth.refreshSession({ refresh_token })
    if (error) throw toldWhenToRetry(refreshRefusal(error), call)
    if (!data.session) throw new Error('Auth answered without a session')
    return { success: true as const, tokens: tokensOf(data.session) }
  })

  async function namesOf(call: Call) {
    const { data, error } = await callerClient(environment, call)
      .from('profiles')
      .select('first_name, last_name')
      .maybeSingle()
    if (error) throw error
    const { first_name, last_name } = data ?? {}
    return { ...(first_name && { first_name }), ...(last_name && { last_name }) }
  }
}

function tokensOf({ access_token, refresh_token, expires_in }: Session): Session {
  return { access_token, refresh_token, expires_in }
}
