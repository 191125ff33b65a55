import type { Id } from '../../../ui/language.tsx'
import { T } from '../../../ui/language.tsx'

const ERRORS = new Map<string, Id>([
  ['not_reachable', 'university.error-not-reachable'],
  ['no_recipient', 'university.error-no-recipient'],
  ['no_provider', 'university.error-no-provider'],
  ['unreachable', 'university.error-unreachable'],
  ['timeout', 'university.error-no-response'],
  ['no_response', 'university.error-no-response'],
  ['sender_lost', 'university.error-no-response'],
  ['validation_error', 'university.error-address'],
])

/** Why a message was not delivered: in words, and as the provider says it, for whoever asks them. */
export function ErrorOfDelivery({ code }: { code: string }) {
  const words = ERRORS.get(code)
  return (
    <>
      {words && <T id={words} />} <bdi className="muted">{code}</bdi>
    </>
  )
}
