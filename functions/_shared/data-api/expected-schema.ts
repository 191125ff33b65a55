/** Tables that the Data API exposes. Made by `npm run types`. */
export const EXPECTED_TABLES = [
  'checkin.audio_analysis',
  'checkin.check_ins',
  'checkin.fusion_results',
  'checkin.text_analysis',
  'checkin.user_baselines',
  'checkin.visual_analysis',
  'public.assessment_sessions',
  'public.audit_logs',
  'public.buddy_check_in_requests',
  'public.buddy_contacts',
  'public.buddy_verification_audit',
  'public.clinical_reviews',
  'public.cohort_days',
  'public.cohort_snapshots',
  'public.consents',
  'public.profiles',
  'public.session_analyses',
  'public.session_scores',
  'public.students',
  'public.support_alerts',
  'public.support_preferences',
  'public.universities',
  'public.user_roles',
]

/** Versions of the migrations. Made by `npm run types`. */
export const EXPECTED_MIGRATIONS = [
  '20261122041049',
  '20261122051154',
  '20261122080220',
  '20261122092248',
  '20261122104839',
  '20261122111548',
  '20261122112300',
  '20261122113816',
  '20261122122149',
]
