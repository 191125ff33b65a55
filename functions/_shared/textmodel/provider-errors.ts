import { APIError } from '../../_vendor/openai.js'

/**
 * Codes of what only the operator can put right with the provider: what was paid for is used up, or the account is closed. Most come
 * with 429, the status of a throttle.
 *
 * Source: https://platform.openai.com/docs/guides/error-codes
 */
const ACCOUNT_CODES: ReadonlySet<unknown> = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'project_spend_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
  'access_terminated',
])

/** About the key, what was paid for, the account, and the address or the model. */
const REFUSING = [401, 402, 403, 404]

/** Whether an error of OpenAI's client says that the provider refuses the service, whatever it is asked: trying again is of no use. */
export function refusesService(error: unknown): boolean {
  if (!(error instanceof APIError)) return false
  const { status, code, type } = error
  return (
    ACCOUNT_CODES.has(code) || ACCOUNT_CODES.has(type) || (status !== undefined && REFUSING.includes(status))
  )
}
