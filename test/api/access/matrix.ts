/** Who asks. Those without a place are at the home university; `elsewhere` is the other one. */
export const ROLES = [
  'anon',
  'student',
  'other student',
  'counselor',
  'counselor elsewhere',
  'university admin',
  'university admin elsewhere',
  'security admin',
  'service',
] as const

export type Role = (typeof ROLES)[number]

/** Everybody who has an account and asks with its token. */
export type SignedIn = Exclude<Role, 'anon' | 'service'>

/**
 * Which rows an action reaches: all of them, those of the caller's university, the caller's own, none although the caller
 * may ask, or none because asking itself is refused.
 */
export type Reach = 'all' | 'university' | 'own' | 'none' | 'refused'

/** A reach for each role: `people` are all who are signed in and not named; who is not mentioned at all is refused. */
export type Cells = { people?: Reach } & { [role in Role]?: Reach }

export type TableRights = {
  /** Column that tells the rows apart. */
  key: string
  /** What a row has besides the person whose it is, where it needs nothing else: each student of the world gets one. */
  row?: Record<string, string | number | boolean | object>
  /** A view that no role could change: the database says so before it looks at rights. */
  isView?: true
  select: Cells
  insert?: Cells
  update?: Cells
  delete?: Cells
  /** A change of a column that people may write. */
  change?: Record<string, unknown>
  /** The columns that signed-in people may write; all others are refused. */
  writable?: { insert?: string[]; update?: string[] }
}

/** What each role may do with each exposed table and view; `test/api/access/access.test.ts` tries every cell. */
export const TABLES: Record<string, TableRights> = {
  'public.universities': {
    key: 'id',
    select: { people: 'university', 'security admin': 'all', service: 'all' },
    insert: { service: 'all' },
    update: {
      people: 'none',
      'university admin': 'university',
      'university admin elsewhere': 'university',
      service: 'all',
    },
    delete: { service: 'all' },
    change: { short_name: 'Changed' },
    writable: {
      update: [
        'name',
        'short_name',
        'country',
        'time_zone',
        'languages',
        'logo_url',
        'primary_color',
        'secondary_color',
        'features_enabled',
        'assessment_frequency',
        'privacy_settings',
        'support_email',
        'crisis_phone',
        'resources',
      ],
    },
  },
  'public.profiles': {
    key: 'user_id',
    select: { people: 'own', service: 'all' },
    insert: { service: 'all' },
    update: { people: 'own', service: 'all' },
    delete: { service: 'all' },
    change: { first_name: 'Changed' },
    writable: { update: ['first_name', 'last_name', 'time_zone', 'language'] },
  },
  'public.user_roles': {
    key: 'id',
    select: { people: 'own', service: 'all' },
    insert: { service: 'all' },
    update: { service: 'all' },
    delete: { service: 'all' },
    change: { created_at: '2026-01-02T03:04:05Z' },
  },
  'public.consents': {
    key: 'id',
    select: { people: 'own', service: 'all' },
    insert: { people: 'own' },
    update: { people: 'own', service: 'all' },
    change: { withdrawn_at: '2026-11-01T00:00:00Z' },
    writable: { insert: ['user_id', 'kind', 'version'], update: ['withdrawn_at', 'keep_results'] },
  },
  'public.consent_texts': {
    key: 'title',
    select: { people: 'all', service: 'all' },
  },
  'public.students': {
    key: 'user_id',
    select: { people: 'own', service: 'all' },
    update: { people: 'own', service: 'all' },
    change: { faculty: 'Changed' },
    writable: { update: ['faculty', 'year_of_study', 'residence'] },
  },
  'public.assessment_sessions': {
    key: 'id',
    select: { people: 'own', service: 'all' },
    insert: { people: 'own', service: 'all' },
    update: { people: 'own', service: 'all' },
    delete: { people: 'own', service: 'all' },
    change: { session_data: { platform: 'changed' } },
    writable: {
      insert: ['user_id', 'assessment_type', 'status', 'session_data'],
      update: ['status', 'session_data', 'updated_at'],
    },
  },
  'public.session_analyses': { key: 'session_id', select: { people: 'own', service: 'all' } },
  'public.session_scores': { key: 'session_id', select: { people: 'own', service: 'all' } },
  'public.clinical_reviews': {
    key: 'id',
    select: { service: 'all' },
    update: { service: 'all' },
    change: { status: 'claimed' },
  },
  'public.open_clinical_reviews': {
    key: 'id',
    isView: true,
    select: { service: 'all' },
  },
  'public.buddy_contacts': {
    key: 'id',
    select: { people: 'own', service: 'all' },
    insert: { people: 'own', service: 'all' },
    update: { people: 'own', service: 'all' },
    delete: { people: 'own', service: 'all' },
    change: { relationship: 'Changed' },
    writable: {
      insert: [
        'user_id',
        'name',
        'phone',
        'email',
        'relationship',
        'notify_channel',
        'is_active',
        'priority_rank',
      ],
      update: ['name', 'phone', 'email', 'relationship', 'notify_channel', 'is_active', 'priority_rank'],
    },
  },
  'public.support_preferences': {
    key: 'user_id',
    row: {},
    select: { people: 'own', service: 'all' },
    insert: { people: 'own' },
    update: { people: 'own' },
    delete: { service: 'all' },
    change: { pass_on_all_right: false },
    writable: {
      insert: ['user_id', 'alerts_paused_until', 'pass_on_all_right'],
      update: ['alerts_paused_until', 'pass_on_all_right'],
    },
  },
  'public.buddy_verification_audit': { key: 'id', select: { people: 'own', service: 'all' } },
  'public.audit_logs': {
    key: 'id',
    select: { people: 'none', 'security admin': 'all', service: 'all' },
  },
  'public.security_incidents': {
    key: 'id',
    select: { people: 'none', 'security admin': 'all', service: 'all' },
  },
  'public.training_modules': {
    key: 'id',
    select: { people: 'all', student: 'none', 'other student': 'none', service: 'all' },
    update: { people: 'none', 'security admin': 'all' },
    change: { published: false },
    writable: { update: ['mandatory', 'published'] },
  },
  'public.training_assignments': {
    key: 'id',
    select: { people: 'own', 'security admin': 'all', service: 'all' },
    insert: { 'security admin': 'all' },
    update: { people: 'none', 'security admin': 'all' },
    delete: { people: 'none', 'security admin': 'all' },
    change: { due_days: 9 },
    writable: { insert: ['module_id', 'user_id', 'role', 'due_days'], update: ['due_days'] },
  },
  'public.security_policies': {
    key: 'id',
    select: { people: 'none', 'security admin': 'all', service: 'all' },
    insert: { 'security admin': 'all' },
    update: { people: 'none', 'security admin': 'all' },
    change: { priority: 9 },
    writable: {
      insert: [
        'name',
        'category',
        'type',
        'conditions',
        'actions',
        'enforcement_points',
        'priority',
        'enabled',
        'dry_run',
      ],
      update: [
        'name',
        'category',
        'type',
        'conditions',
        'actions',
        'enforcement_points',
        'priority',
        'enabled',
        'dry_run',
      ],
    },
  },
  ...Object.fromEntries(
    ['security_tests', 'security_test_runs', 'security_test_results', 'vulnerabilities'].map((name) => [
      `public.${name}`,
      {
        key: name === 'security_test_results' ? 'run_id' : 'id',
        select: { people: 'none', 'security admin': 'all', service: 'all' },
      } satisfies TableRights,
    ]),
  ),
  ...Object.fromEntries(
    ['progress', 'attempts', 'certificates'].map((name) => [
      `public.training_${name}`,
      {
        key: name === 'progress' ? 'user_id' : 'id',
        select: { people: 'own', 'security admin': 'all', service: 'all' },
      } satisfies TableRights,
    ]),
  ),
  'public.compliance_controls': {
    key: 'id',
    select: { people: 'none', 'security admin': 'all', service: 'all' },
  },
  'public.compliance_assessments': {
    key: 'id',
    select: { people: 'none', 'security admin': 'all', service: 'all' },
  },
  ...Object.fromEntries(
    ['cohort_days', 'cohort_snapshots', 'wellbeing_by_day', 'risk_by_cohort'].map((name) => [
      `public.${name}`,
      {
        key: 'university_id',
        ...(name.includes('_by_') && { isView: true }),
        select: {
          people: 'none',
          'university admin': 'university',
          'university admin elsewhere': 'university',
          service: 'all',
        },
      } satisfies TableRights,
    ]),
  ),
  'public.scoring_days': {
    key: 'day',
    select: {
      people: 'none',
      'university admin': 'all',
      'university admin elsewhere': 'all',
      service: 'all',
    },
  },
  'public.buddy_check_in_requests': { key: 'id', select: { people: 'own', service: 'all' } },
  'public.support_alerts': { key: 'id', select: { people: 'own', service: 'all' } },
  'public.failure_reasons': { key: 'code', select: { people: 'all', service: 'all' } },
  'checkin.check_ins': { key: 'id', select: { people: 'own', service: 'all' } },
  'checkin.user_baselines': {
    key: 'user_id',
    row: { version: 1, check_ins: 1, score_mean: 60, score_sd: 10, state: {} },
    select: { people: 'own', service: 'all' },
  },
  ...Object.fromEntries(
    ['audio_analysis', 'visual_analysis', 'text_analysis', 'fusion_results'].map((name) => [
      `checkin.${name}`,
      { key: 'check_in_id', select: { people: 'own', service: 'all' } } satisfies TableRights,
    ]),
  ),
}

/** What a call of a function gives: something, nothing although the caller may ask, that the caller has no such row, or an error. */
export type Yield = 'answered' | 'empty' | 'not found' | 'refused'

export type FunctionRights = {
  /** Arguments about the home university or its student. */
  about:
    | 'university'
    | 'student'
    | 'a review'
    | 'a review and a note'
    | 'a review and a colleague'
    | 'terms of claims'
    | 'a kind message'
    | 'a time of no days'
    | 'a time of the university'
    | 'a shift of the counselor'
    | 'a shift that nobody has'
    | 'an hour'
    | 'a crisis contact'
    | 'the crisis contact'
    | 'a crisis contact that nobody is'
    | 'a university without people'
    | 'nothing'
    | 'a read of the university'
    | 'the student’s contacts'
    | 'a contact of the student'
    | 'a contact and a reason'
    | 'a new contact'
    | 'a consent that nobody gave'
    | 'kinds of consents'
    | 'a text of a consent'
    | 'a term'
    | 'an empty page'
    | 'a legal hold'
    | 'the held account'
    | 'a module'
    | 'a section'
    | 'a context'
    | 'a module that was read'
    | 'an own attempt'
    | 'an incident'
    | 'an action about an incident'
    | 'an incident that was noticed'
    | 'an incident to take'
    | 'an incident that has ended'
    | 'an address'
    | 'a block that is not in force'
    | 'a policy to try'
    | 'an account that nobody has'
    | 'a change without a migration'
    | 'a framework'
    | 'a decision'
    | 'a security test'
    | 'a test that runs'
    | 'a vulnerability'
    | 'a vulnerability to open'
    | 'a module for counselors'
    | 'an existing module'
    | 'a fact'
    | 'a new colleague'
    | 'a colleague'
    | 'a role that nobody has'
    | 'an invitation that nobody has'
    | 'a session that nobody has'
    | 'enrolments'
  calls: { people?: Yield } & { [role in Role]?: Yield }
}

/** What each role gets from each exposed function. */
export const FUNCTIONS: Record<string, FunctionRights> = {
  log_access: {
    about: 'a read of the university',
    calls: { people: 'empty', counselor: 'answered' },
  },
  list_students: { about: 'university', calls: { people: 'empty', counselor: 'answered' } },
  read_student: { about: 'student', calls: { people: 'empty', counselor: 'answered' } },
  list_open_reviews: {
    about: 'nothing',
    calls: { people: 'empty', counselor: 'answered', 'counselor elsewhere': 'answered' },
  },
  list_closed_reviews: { about: 'nothing', calls: { people: 'empty', counselor: 'answered' } },
  review_queue: {
    about: 'nothing',
    calls: { people: 'empty', counselor: 'answered', 'counselor elsewhere': 'answered' },
  },
  claim_review: { about: 'a review', calls: { people: 'empty', counselor: 'answered' } },
  reopen_review: { about: 'a review', calls: { people: 'empty', counselor: 'answered' } },
  close_review: { about: 'a review', calls: { people: 'empty', counselor: 'answered' } },
  hand_over_review: {
    about: 'a review and a colleague',
    calls: { people: 'empty', counselor: 'answered' },
  },
  add_review_note: { about: 'a review and a note', calls: { people: 'empty', counselor: 'answered' } },
  read_review: { about: 'a review', calls: { people: 'empty', counselor: 'answered' } },
  list_counselors: {
    about: 'nothing',
    calls: { people: 'empty', counselor: 'answered', 'counselor elsewhere': 'answered' },
  },
  set_claim_terms: {
    about: 'terms of claims',
    calls: { 'university admin': 'empty', 'security admin': 'empty' },
  },
  nudge_student: { about: 'a kind message', calls: { people: 'not found', counselor: 'answered' } },
  list_nudges: { about: 'student', calls: { people: 'empty', counselor: 'answered' } },
  read_cover: {
    about: 'a time of the university',
    calls: { counselor: 'answered', 'university admin': 'answered', 'security admin': 'answered' },
  },
  add_shift: {
    about: 'a shift of the counselor',
    calls: { counselor: 'answered', 'university admin': 'answered', 'security admin': 'answered' },
  },
  remove_shift: { about: 'a shift that nobody has', calls: { people: 'not found' } },
  take_over: { about: 'an hour', calls: { counselor: 'answered', 'counselor elsewhere': 'answered' } },
  set_crisis_contact: {
    about: 'a crisis contact',
    calls: { 'university admin': 'answered', 'security admin': 'answered' },
  },
  list_crisis_contacts: {
    about: 'university',
    calls: { 'university admin': 'answered', 'security admin': 'answered' },
  },
  test_crisis_contact: {
    about: 'the crisis contact',
    calls: { 'university admin': 'answered', 'security admin': 'answered' },
  },
  remove_crisis_contact: {
    about: 'a crisis contact that nobody is',
    calls: { 'university admin': 'not found', 'security admin': 'not found' },
  },
  archive_university: {
    about: 'a university without people',
    calls: { 'security admin': 'answered' },
  },
  restore_university: {
    about: 'a university without people',
    calls: { 'security admin': 'answered' },
  },
  add_buddy: { about: 'a new contact', calls: { people: 'answered' } },
  update_buddy: { about: 'a contact of the student', calls: { people: 'not found', student: 'answered' } },
  reorder_buddies: { about: 'the student’s contacts', calls: { people: 'not found', student: 'answered' } },
  reset_buddy_verifications: {
    about: 'a contact and a reason',
    calls: { 'security admin': 'answered' },
  },
  read_audit_log: { about: 'nothing', calls: { people: 'empty', 'security admin': 'answered' } },
  set_legal_hold: { about: 'a legal hold', calls: { people: 'empty', 'security admin': 'answered' } },
  read_legal_holds: { about: 'nothing', calls: { people: 'empty', 'security admin': 'answered' } },
  lift_legal_hold: { about: 'the held account', calls: { people: 'empty', 'security admin': 'answered' } },
  check_request: { about: 'nothing', calls: { anon: 'empty', people: 'empty', service: 'empty' } },
  // Of no alert that is open.
  report_all_right: { about: 'nothing', calls: { people: 'empty' } },
  withdraw_consent: { about: 'a consent that nobody gave', calls: { people: 'empty' } },
  consent_status: { about: 'nothing', calls: { people: 'answered' } },
  read_history: {
    about: 'nothing',
    calls: { people: 'empty', student: 'answered', 'other student': 'answered' },
  },
  grant_consents: { about: 'kinds of consents', calls: { people: 'answered' } },
  publish_consent_text: { about: 'a text of a consent', calls: { 'security admin': 'answered' } },
  retention_terms: { about: 'nothing', calls: { people: 'answered' } },
  set_retention: { about: 'a term', calls: { people: 'empty', 'security admin': 'answered' } },
  list_own_accesses: { about: 'an empty page', calls: { people: 'empty' } },
  list_own_sessions: { about: 'nothing', calls: { people: 'answered' } },
  end_own_session: { about: 'a session that nobody has', calls: { people: 'empty' } },
  detect_incidents: { about: 'nothing', calls: { 'security admin': 'answered' } },
  change_incident: { about: 'an incident', calls: { 'security admin': 'answered' } },
  respond_to_incident: { about: 'an action about an incident', calls: { 'security admin': 'answered' } },
  record_incident: { about: 'an incident that was noticed', calls: { 'security admin': 'answered' } },
  add_incident_note: { about: 'an incident', calls: { 'security admin': 'answered' } },
  assign_incident: { about: 'an incident to take', calls: { 'security admin': 'answered' } },
  reopen_incident: { about: 'an incident that has ended', calls: { 'security admin': 'answered' } },
  incident_transitions: { about: 'nothing', calls: { 'security admin': 'answered' } },
  list_blocks: { about: 'nothing', calls: { 'security admin': 'empty' } },
  lift_block: { about: 'a block that is not in force', calls: { 'security admin': 'answered' } },
  look_up_address: { about: 'an address', calls: { 'security admin': 'answered' } },
  // What it tells after an entry of the access log, test/policies/accounts says.
  read_account: { about: 'an account that nobody has', calls: {} },
  list_schema_changes: { about: 'nothing', calls: { 'security admin': 'answered' } },
  accept_schema_change: { about: 'a change without a migration', calls: { 'security admin': 'answered' } },
  create_security_test: { about: 'a security test', calls: { 'security admin': 'answered' } },
  execute_security_test: { about: 'a test that runs', calls: { 'security admin': 'answered' } },
  list_security_tests: { about: 'nothing', calls: { 'security admin': 'answered' } },
  change_security_test: { about: 'a test that runs', calls: { 'security admin': 'answered' } },
  reopen_vulnerability: { about: 'a vulnerability to open', calls: { 'security admin': 'answered' } },
  accept_vulnerability: { about: 'a vulnerability', calls: { 'security admin': 'answered' } },
  security_test_statistics: {
    about: 'nothing',
    calls: { people: 'empty', 'security admin': 'answered', service: 'answered' },
  },
  create_training_module: { about: 'a module', calls: { 'security admin': 'answered' } },
  list_training_questions: { about: 'an existing module', calls: { 'security admin': 'answered' } },
  assign_training: { about: 'a module for counselors', calls: { 'security admin': 'answered' } },
  list_training_assignments: { about: 'an existing module', calls: { 'security admin': 'answered' } },
  list_training_learners: { about: 'an existing module', calls: { 'security admin': 'answered' } },
  my_training: {
    about: 'nothing',
    calls: { people: 'answered', student: 'empty', 'other student': 'empty' },
  },
  training_statistics: {
    about: 'nothing',
    calls: { people: 'empty', 'security admin': 'answered', service: 'answered' },
  },
  read_training_sections: {
    about: 'a section',
    calls: { people: 'answered', student: 'refused', 'other student': 'refused' },
  },
  start_training_attempt: {
    about: 'a module that was read',
    calls: { people: 'answered', student: 'refused', 'other student': 'refused' },
  },
  submit_training_attempt: {
    about: 'an own attempt',
    calls: { people: 'answered', student: 'refused', 'other student': 'refused' },
  },
  invite_staff: {
    about: 'a new colleague',
    calls: { 'university admin': 'answered', 'security admin': 'answered' },
  },
  withdraw_invitation: {
    about: 'an invitation that nobody has',
    calls: { 'university admin': 'empty', 'security admin': 'empty' },
  },
  grant_role: {
    about: 'a colleague',
    calls: { 'university admin': 'empty', 'security admin': 'empty' },
  },
  revoke_role: {
    about: 'a role that nobody has',
    calls: { 'university admin': 'empty', 'security admin': 'empty' },
  },
  list_staff: {
    about: 'nothing',
    calls: {
      'university admin': 'answered',
      'university admin elsewhere': 'answered',
      'security admin': 'answered',
    },
  },
  import_enrolments: {
    about: 'enrolments',
    calls: { 'university admin': 'answered', 'security admin': 'answered' },
  },
  read_register: {
    about: 'university',
    calls: { 'university admin': 'empty', 'security admin': 'empty' },
  },
  list_claim_terms: {
    about: 'university',
    calls: { 'university admin': 'answered', 'security admin': 'answered' },
  },
  message_delivery: {
    about: 'university',
    calls: { 'university admin': 'answered', 'security admin': 'answered' },
  },
  evaluate_policies: { about: 'a context', calls: { 'security admin': 'answered' } },
  policy_grammar: { about: 'nothing', calls: { 'security admin': 'answered' } },
  preview_policy: { about: 'a policy to try', calls: { 'security admin': 'answered' } },
  policy_statistics: { about: 'nothing', calls: { 'security admin': 'answered' } },
  assess_compliance: { about: 'a framework', calls: { 'security admin': 'answered' } },
  record_compliance_fact: { about: 'a fact', calls: { 'security admin': 'answered' } },
  list_compliance_facts: { about: 'nothing', calls: { 'security admin': 'answered' } },
  decide_control: { about: 'a decision', calls: { 'security admin': 'answered' } },
  verify_audit_chain: {
    about: 'nothing',
    calls: { people: 'empty', 'security admin': 'answered', service: 'answered' },
  },
  analytics_dashboard: {
    about: 'university',
    calls: { people: 'empty', 'university admin': 'answered', service: 'answered' },
  },
  analytics_wellbeing: {
    about: 'university',
    calls: { people: 'empty', 'university admin': 'answered', service: 'answered' },
  },
  analytics_trends: {
    about: 'university',
    calls: { people: 'empty', 'university admin': 'answered', service: 'answered' },
  },
  // Of fewer than ten students; what administrators see of more, the policies' tests say.
  analytics_reviews: { about: 'university', calls: { people: 'empty' } },
  // Scored days are those of every test; what administrators see of them, the policies' tests say.
  analytics_scoring_versions: { about: 'a time of no days', calls: { people: 'empty', service: 'empty' } },
}

/** One cell of a matrix. */
export function cellOf<Cell>(
  cells: ({ people?: Cell } & { [role in Role]?: Cell }) | undefined,
  role: Role,
  refused: Cell,
): Cell {
  const isSignedIn = role !== 'anon' && role !== 'service'
  return cells?.[role] ?? (isSignedIn ? cells?.people : undefined) ?? refused
}
