import { isWellbeingError, type WellbeingError } from '../../../client/src/errors.ts'
import { errorOf } from '../../../client/src/explain.ts'
import type { Explained } from '../../ui/service.tsx'

/** Codes that mean to staff what another one says. */
const MEANT = new Map(
  Object.entries({
    invalid_parameters: 'invalid_value',
    redirect_not_allowed: 'invalid_value',
    query_too_complex: 'service_unavailable',
    refresh_token_invalid: 'session_ended',
    unauthorized: 'session_ended',
  }),
)

/** What these say in their message is more than their words do. */
const SAYS_MORE = [
  'invalid_value',
  'constraint_violated',
  'policy_invalid',
  'policy_blocks_caller',
  'unknown',
]

const meaningOf = ({ code }: WellbeingError): string =>
  MEANT.get(code) ?? (code.endsWith('_not_found') ? 'not_found' : code)

/**
 * What a call of `supabase-js` or of a function threw: its code, for which the catalogs have words (`problem.<code>`, beside the
 * screens whose calls end with it), and the service's own words, which are English, where those are missing or say less.
 */
export async function explainError(caught: unknown): Promise<Explained> {
  const error = isWellbeingError(caught) ? caught : errorOf(caught)
  const code = meaningOf(error)
  return {
    code,
    title: error.message,
    advice: SAYS_MORE.includes(code) ? error.message : '',
    language: 'en',
    isRetryable: error.retryable,
    requestId: error.requestId,
  }
}

/** The code of what a call threw. */
export const codeOf = (caught: unknown): string =>
  meaningOf(isWellbeingError(caught) ? caught : errorOf(caught))
