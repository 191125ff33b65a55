import * as z from 'zod'
import { ServiceError } from '../errors.ts'

/** What checks captchas: the provider, its secret, and its address where that is not the usual one. */
export type Captcha = { provider: 'turnstile' | 'hcaptcha'; secret: string; baseUrl?: string | undefined }

/** Where each provider checks a token. */
const PROVIDERS = {
  turnstile: { host: 'https://challenges.cloudflare.com', path: '/turnstile/v0/siteverify' },
  hcaptcha: { host: 'https://api.hcaptcha.com', path: '/siteverify' },
}

/** How long the provider may take, milliseconds. */
const TIMEOUT_MS = 10_000

const verdict = z.object({ success: z.boolean() })

/**
 * Checks the captcha of a request; nothing where none is set up. Auth itself asks for none of a request with the secret key, which
 * the functions make, as it would not believe them the person's address without it.
 *
 * @param token what the provider's widget gave the person, good for once
 * @param address network address of the person
 *
 * Throws `captcha_failed`, and an error when the provider does not say.
 */
export async function requireCaptcha(
  captcha: Captcha | undefined,
  token: string | undefined,
  address: string | null,
): Promise<void> {
  if (!captcha) return
  if (!token)
    throw new ServiceError('captcha_failed', 'Solve the captcha, and send its token as captcha_token.')
  const { host, path } = PROVIDERS[captcha.provider]
  const response = await fetch(`${captcha.baseUrl ?? host}${path}`, {
    method: 'POST',
    body: new URLSearchParams({
      secret: captcha.secret,
      response: token,
      ...(address !== null && { remoteip: address }),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { success } = verdict.parse(await response.json())
  if (!success)
    throw new ServiceError('captcha_failed', 'The captcha is not right, or was used before. Solve it again.')
}
