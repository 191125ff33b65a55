import type { Id } from '../../../ui/language.tsx'
import { T } from '../../../ui/language.tsx'

const PURPOSES: Record<string, Id> = {
  clinical_review: 'university.purpose-review',
  clinical_review_reminder: 'university.purpose-review-reminder',
  clinical_review_digest: 'university.purpose-review-digest',
  clinical_review_claim: 'university.purpose-review-claim',
  clinical_review_handed_over: 'university.purpose-review-handed-over',
  clinical_review_claimed: 'university.purpose-review-claimed',
  support_alert_escalation: 'university.purpose-escalation',
  crisis_contact_test: 'university.purpose-contact-test',
  uncovered_hours: 'university.purpose-uncovered',
  staff_invitation: 'university.purpose-invitation',
  training_reminder: 'university.purpose-training',
  student_nudge: 'university.purpose-nudge',
  support_alert: 'university.purpose-alert',
  support_alert_notice: 'university.purpose-alert-notice',
  support_all_right: 'university.purpose-all-right',
  support_standstill: 'university.purpose-standstill',
  buddy_check_in: 'university.purpose-buddy-check-in',
  buddy_verification: 'university.purpose-buddy-verification',
  buddy_first_text: 'university.purpose-buddy-first-text',
  second_factor_guessing: 'university.purpose-guessing',
  erasure_requested: 'university.purpose-erasure',
  erasure_receipt: 'university.purpose-erasure-receipt',
  export: 'university.purpose-export',
}

/** The name of what a message is for; null of one that the app does not know. */
export const purposeName = (purpose: string): Id | null => PURPOSES[purpose] ?? null

const ERRORS: Record<string, Id> = {
  not_reachable: 'university.error-not-reachable',
  no_recipient: 'university.error-no-recipient',
  no_provider: 'university.error-no-provider',
  unreachable: 'university.error-unreachable',
  timeout: 'university.error-no-response',
  no_response: 'university.error-no-response',
  sender_lost: 'university.error-no-response',
  validation_error: 'university.error-address',
}

/** Why a message was not delivered: in words, and as the provider says it, for whoever asks them. */
export function ErrorOfDelivery({ code }: { code: string }) {
  const words = ERRORS[code]
  return (
    <>
      {words && <T id={words} />} <bdi className="muted">{code}</bdi>
    </>
  )
}
