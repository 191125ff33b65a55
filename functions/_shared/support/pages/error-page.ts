import { crisisResources } from '../../crisis-resources.ts'
import type { ServiceError } from '../../errors.ts'
import type { Words } from '../words/en.ts'
import { minutes, noticePage, type Reader, type SupportPage } from './layout.ts'

/** What somebody who has no account is shown in place of the error of a page: what happened, and where help is. */
export function errorPage(error: ServiceError, reader: Reader): SupportPage {
  const resources = crisisResources.safeParse(error.details?.crisis_resources).data ?? []
  const notice = { ...noticeOf(error, reader.words.errors), status: error.status, resources }
  return noticePage('error', notice, { ...reader, settings: null })
}

function noticeOf({ code, status, details }: ServiceError, words: Words['errors']) {
  switch (code) {
    case 'not_found':
      return words.notFound
    case 'method_not_allowed':
      return words.notAllowed
    case 'address_blocked':
    case 'access_blocked':
      return words.blocked
    case 'quarantined':
      return words.quarantined
    case 'rate_limited':
    case 'busy':
      return words.busy(minutes(typeof details?.retry_after_s === 'number' ? details.retry_after_s : 60))
    default:
      return status >= 500 ? words.fault : words.wrongInput
  }
}
