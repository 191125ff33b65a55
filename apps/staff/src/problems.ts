import type { Explained } from '../../ui/service.tsx'

/** An error of a function: `{error, code, details?, request_id?}` (docs/errors.md). */
type ServiceFault = { error?: unknown; message?: unknown; code?: unknown; request_id?: unknown }

const RETRYABLE = [
  'rate_limited',
  'request_timeout',
  'internal_error',
  'busy',
  'quarantined',
  'address_blocked',
]

/** Puts what a call of `supabase-js` or of a function threw into words: those that the service refused with. */
export async function explainError(error: unknown): Promise<Explained> {
  const fault: ServiceFault = typeof error === 'object' && error !== null ? error : {}
  const said = [fault.error, fault.message].find((text) => typeof text === 'string') ?? ''
  const code = String(fault.code ?? '')
  return {
    title: String(said),
    advice: '',
    isRetryable: code === '' || RETRYABLE.includes(code),
    requestId: typeof fault.request_id === 'string' ? fault.request_id : null,
  }
}
