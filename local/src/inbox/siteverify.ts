/** What a provider responds to a token (`siteverify`). */
export interface CaptchaVerdict {
  success: boolean
  'error-codes': string[]
}

/** Token that hCaptcha's key for tests gives, the only one that its secret for tests takes. */
const hcaptchaTestToken = '10000000-aaaa-bbbb-cccc-000000000001'

/**
 * What is wrong with a token, by the secrets that the providers give out for tests.
 *
 * Sources: https://developers.cloudflare.com/turnstile/troubleshooting/testing/,
 * https://docs.hcaptcha.com/#integration-testing-test-keys
 */
const testSecrets = new Map<string, (token: string) => string[]>([
  ['1x0000000000000000000000000000000AA', () => []],
  ['2x0000000000000000000000000000000AA', () => ['invalid-input-response']],
  ['3x0000000000000000000000000000000AA', () => ['timeout-or-duplicate']],
  [
    '0x0000000000000000000000000000000000000000',
    (token) => (token === hcaptchaTestToken ? [] : ['invalid-input-response']),
  ],
])

/** What the provider responds, which a machine without internet can know for secrets for tests only. */
export function siteverify(secret: string, token: string): CaptchaVerdict {
  if (token === '') return { success: false, 'error-codes': ['missing-input-response'] }
  const faults = testSecrets.get(secret)?.(token) ?? ['invalid-input-secret']
  return { success: faults.length === 0, 'error-codes': faults }
}
