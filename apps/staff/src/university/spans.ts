import type { Id } from '../../../ui/language.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { spanOf } from './interval.ts'

/** What each term of retention is about. */
export const TERMS: Record<string, Id> = {
  audit_log: 'university.term-audit-log',
  channel_messages: 'university.term-channel-messages',
  clinical_reviews: 'university.term-clinical-reviews',
  compliance_assessments: 'university.term-compliance',
  counselor_shifts: 'university.term-counselor-shifts',
  cron_runs: 'university.term-cron-runs',
  declined_contacts: 'university.term-declined-contacts',
  enrolments: 'university.term-enrolments',
  export_records: 'university.term-export-records',
  exports: 'university.term-exports',
  inbound_texts: 'university.term-inbound-texts',
  logged_accesses: 'university.term-logged-accesses',
  nudges: 'university.term-nudges',
  policy_firings: 'university.term-policy-firings',
  rate_limit_uses: 'university.term-rate-limits',
  raw_media: 'university.term-raw-media',
  results: 'university.term-results',
  security_events: 'university.term-security-events',
  security_incidents: 'university.term-incidents',
  security_test_runs: 'university.term-security-tests',
  sent_messages: 'university.term-sent-messages',
  sign_in_log: 'university.term-sign-in-log',
  staff_invitations: 'university.term-invitations',
  support_history: 'university.term-support-history',
  transcript_results: 'university.term-transcript-results',
  transcripts: 'university.term-transcripts',
  undelivered_messages: 'university.term-undelivered',
  unfinished_uploads: 'university.term-unfinished-uploads',
  worrying_days: 'university.term-worrying-days',
}

/** An interval in the person's language. */
export function useSpan() {
  const { number } = useTexts()
  return (interval: string) => {
    const { years, months, days, hours } = spanOf(interval)
    const parts = [
      [years, 'year'],
      [months, 'month'],
      [days, 'day'],
      [hours, 'hour'],
    ] as const
    return parts
      .filter(([amount]) => amount > 0)
      .map(([amount, unit]) => number(amount, { style: 'unit', unit, unitDisplay: 'long' }))
      .join(' ')
  }
}
