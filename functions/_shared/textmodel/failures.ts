import { asJson, type Database } from '../database.ts'
import { describeError, log } from '../log.ts'
import type { ReportFailure } from './language-model.ts'

/**
 * Logs each failure of the language model, and counts it for the operator's metrics. That the provider refuses the service (the key, what
 * was paid for, the account, the address or the model) is an error of its own in the log, once for each isolate: until an operator
 * mends it, every transcript fails alike.
 */
export function failuresOf(database: Database): ReportFailure {
  let refused = false
  return async ({ code, status, providerCode: provider_code }) => {
    if (code === 'provider_refused' && !refused) {
      refused = true
      log('error', 'language_model_refused', { status, provider_code })
    }
    log('warn', 'language_model_failed', { code, status, provider_code })
    try {
      await database`
        select private.count_metric('language_model_failures', ${asJson(database, { error_code: code })})`
    } catch (error) {
      log('warn', 'failure_not_counted', describeError(error))
    }
  }
}
