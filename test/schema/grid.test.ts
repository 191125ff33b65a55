import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, migratedDatabase } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'

/** Tables whose cells an operator changes in Studio's grid, with a change of one that each of their rules refuses. */
const SETTINGS: Record<string, Record<string, Refused>> = {
  'public.universities': {
    universities_id_form: ["id = 'North Field'", 'lower-case letters, digits and hyphens'],
    universities_name_length: ["name = ''", '1 to 200 characters'],
    universities_short_name_length: ["short_name = ''", '1 to 50 characters'],
    universities_domain_form: ["domain = 'Example.edu'", 'in lower case, such as example.edu'],
    universities_country_form: ["country = 'uk'", 'such as GB'],
    universities_primary_color_form: ["primary_color = 'blue'", '#rrggbb'],
    universities_secondary_color_form: ["secondary_color = 'blue'", '#rrggbb'],
    universities_privacy_settings_object: ["privacy_settings = '[]'", 'a JSON object'],
    universities_privacy_settings_size: [
      'privacy_settings = (select jsonb_object_agg(n, md5(n::text)) from generate_series(1, 2000) n)',
      'at most 16 kB',
    ],
    universities_logo_url_form: ["logo_url = 'logo.png'", 'https://'],
    universities_features_enabled_known: ["features_enabled = '{mail}'", 'check_ins, sessions'],
    universities_assessment_frequency_known: ["assessment_frequency = 'hourly'", 'daily, twice_weekly'],
    universities_support_email_form: ["support_email = 'office'", 'Email address'],
    universities_crisis_phone_form: ["crisis_phone = 'call us'", '2 to 30 digits'],
    universities_resources_array: ["resources = '{}'", 'array of {name, phone?, website?}'],
    universities_resources_form: [`resources = '[{"title": "Desk"}]'`, 'array of {name, phone?, website?}'],
  },
  'public.training_modules': {
    training_modules_id_form: ["id = 'phishing'", 'trn_ and up to 60'],
    training_modules_title_form: ["title = ''", '1 to 200 characters on one line'],
    training_modules_estimated_duration_range: ['estimated_duration = 0', '1 to 600'],
    training_modules_content_size: [
      `content = jsonb_build_object('sections', (
        select jsonb_agg(jsonb_build_object('title', 'x', 'text', repeat('x', 50000))) from generate_series(1, 11)
      ))`,
      '500,000 bytes at most',
    ],
    // A trigger keeps a version from being changed at all.
    training_modules_version_positive: [
      `insert into public.training_modules (title, category, difficulty, estimated_duration, version)
      values ('Invented', 'data_protection', 'beginner', 10, 0)`,
      'from 1',
    ],
  },
  'public.training_assignments': {
    training_assignments_role_of_staff: ["role = 'student'", 'any but student'],
    training_assignments_due_days_range: ['due_days = 0', '1 to 365'],
    training_assignments_person_or_role: ['role = null', 'null when it is for a'],
  },
  'public.security_policies': {
    security_policies_id_form: ["id = 'mine'", 'pol_ and up to 60'],
    security_policies_name_form: ["name = ''", '1 to 200 characters on one line'],
    security_policies_conditions_size: [
      `conditions = jsonb_build_object('all', repeat('x', 16000))`,
      '16,000 bytes at most',
    ],
    security_policies_actions_size: [`actions = jsonb_build_array(repeat('x', 2000))`, '2,000 bytes at most'],
    security_policies_enforcement_points_some: ["enforcement_points = '{}'", 'request, sign_in or both'],
    security_policies_priority_range: ['priority = 0', '1 to 1000'],
  },
  'private.crisis_contacts': {
    crisis_contacts_rank_range: ['rank = 0', '1 to 9'],
    crisis_contacts_email_form: ["email = 'dean'", 'Email address'],
    crisis_contacts_phone_form: ["phone = '555'", 'E.164'],
    crisis_contacts_name_length: ["name = ''", '1 to 100 characters'],
  },
  'private.review_reminder_rules': {
    review_reminder_rules_positive: ["remind_after = '0'", 'Intervals are above 0'],
  },
  'private.review_claim_terms': {
    review_claim_terms_risk_level: ["risk_level = 'none'", 'moderate or high'],
    review_claim_terms_range: ["remind_after = '1 minute'", '15 minutes to 14 days'],
  },
  'public.consent_texts': {
    consent_texts_version_form: ["version = 'latest'", 'with a number among them'],
    consent_texts_language_form: ["language = 'Deutsch'", 'BCP 47'],
    consent_texts_title_length: ["title = ''", '1 to 200'],
    consent_texts_body_length: ["body = ''", '1 to 20,000'],
  },
  'public.failure_reasons': {
    failure_reasons_code_form: [
      "insert into public.failure_reasons (code, language, title, advice) values ('Too dark', 'en', 'Dark.', 'Find a lamp.')",
      'lower-case letters, digits and underscores',
    ],
    failure_reasons_title_length: ["title = ''", '1 to 200'],
    failure_reasons_advice_length: ["advice = ''", '1 to 300'],
  },
  'private.required_consent_versions': {
    required_consent_versions_version_form: ["version = 'latest'", 'with a number among them'],
  },
  'private.retention_rules': {
    retention_rules_kind_form: ["kind = 'Raw media'", 'lower-case letters and underscores'],
    retention_rules_keep_range: ["keep = '0'", 'at least shortest, and 30 years at most'],
  },
  'private.messaging_settings': {
    messaging_settings_only_row: ['only_row = false', 'there is one row'],
    messaging_settings_positive: ["lease = '0'", 'above 0'],
    messaging_settings_rates_positive: ['emails_per_minute = 0', 'above 0'],
    messaging_settings_review_fallback_email_form: ["review_fallback_email = 'me'", 'null for none'],
    messaging_settings_urgent_share_range: ['urgent_share = 1', 'from 0 to 0.9'],
    messaging_settings_staff_app_url_form: ["staff_app_url = 'staff.example.edu'", 'http:// or https://'],
  },
  'private.pipeline_settings': {
    pipeline_settings_only_row: ['only_row = false', 'there is one row'],
    pipeline_settings_positive: ['max_attempts = 0', 'above 0'],
  },
  'private.support_settings': {
    support_settings_only_row: ['only_row = false', 'there is one row'],
    support_settings_positive: ["request_pause = '0'", 'above 0'],
    support_settings_pattern: ['pattern_days = 0', 'from 1 to pattern_window_days'],
    support_settings_day: ["day_begins = '23:59'", 'before day_ends'],
    support_settings_operator_email_form: ["operator_email = 'me'", 'null: only the log'],
  },
  'private.student_limits': {
    student_limits_only_row: ['only_row = false', 'there is one row'],
    student_limits_positive: ['sessions = 0', 'above 0'],
  },
  'private.export_settings': {
    export_settings_only_row: ['only_row = false', 'there is one row'],
    export_settings_positive: ['max_in_flight = 0', 'above 0'],
  },
  'private.detection_settings': {
    detection_settings_only_row: ['only_row = false', 'there is one row'],
    detection_settings_positive: ['alerts_per_hour = 0', 'above 0'],
    detection_settings_blocked_contact_length: ["blocked_contact = ''", 'mail address'],
  },
  'private.detection_rules': {
    detection_rules_rule_form: ["rule = 'My rule'", 'lower-case letters and underscores'],
    detection_rules_threshold_range: ['threshold = 0', '1 to 1,000,000'],
    detection_rules_period_range: ["period = '1 second'", 'from 1 minute to 7 days'],
    detection_rules_respond_known: ["respond = '{call}'", 'block_ip, disable_user, send_alert, audit_trail'],
    detection_rules_guarded: ['enabled = false', 'detection_weakened always is'],
  },
  'private.known_networks': {
    known_networks_kind_known: ["kind = 'home'", 'campus'],
    known_networks_narrow: ["network = '0.0.0.0/0'", 'no wider than /8 of IPv4'],
    known_networks_note_length: ["note = repeat('x', 201)", '200 characters at most'],
  },
  'private.text_destinations': {
    text_destinations_prefix_form: ["prefix = '+44'", 'without +'],
    text_destinations_country_form: ["country = 'Norway'", 'such as US,CA'],
    text_destinations_price_not_negative: ['price = -1', '0 or more'],
  },
  'private.rate_limit_rules': {
    rate_limit_rules_positive: ['requests = 0', 'above 0'],
    rate_limit_rules_daily_requests_range: ['daily_requests = 0', '1 to 10,000'],
  },
  'private.cohort_settings': {
    cohort_settings_only_row: ['only_row = false', 'there is one row'],
    cohort_settings_smallest_cohort: ['smallest_cohort = 5', 'never below ten'],
  },
  'private.compliance_facts': {
    compliance_facts_fact_known: ["fact = 'party'", 'restore_test'],
    compliance_facts_past: ["happened_at = now() + interval '1 day'", 'no later than told_at'],
    compliance_facts_reference_length: ["reference = ''", '1 to 500 characters'],
  },
}

/** A change of a cell or the row that is added, and how a comment that the grid shows says what is allowed. */
type Refused = readonly [change: string, allowed: string]

let built: BuiltDatabase
let sql: postgres.Sql

beforeAll(async () => {
  built = await migratedDatabase('grid')
  sql = postgres(built.url, { max: 1, onnotice: () => {} })
  // A row where the migrations leave none.
  await sql.unsafe(`
    insert into public.universities (id, name, short_name, domain)
    values ('northfield', 'Northfield', 'Northfield', 'northfield.example.edu');
    insert into private.crisis_contacts (university_id, email) values ('northfield', 'on-call@northfield.example.edu');
    insert into private.required_consent_versions (kind, version) values ('audio', '2026-11');
    insert into private.compliance_facts (fact, happened_at, reference) values ('backup', now(), 'invented');
    insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
    values (gen_random_uuid(), 'ada@northfield.example.edu', 'authenticated', 'authenticated', '{}', now())`)
})

afterAll(async () => {
  await sql.end()
  await built.drop()
})

/** The error with which a statement ends, as the grid sends it: alone, as `postgres`. */
async function errorOf(statement: string): Promise<postgres.PostgresError> {
  const undone = new Error('nothing refuses this')
  const error = await sql
    .begin(async (tx) => {
      await tx.unsafe(statement)
      await tx`set constraints all immediate`
      throw undone
    })
    .catch((caught) => caught)
  if (error instanceof postgres.PostgresError) return error
  throw new Error(`${statement}: ${error.message}`)
}

describe('what the grid of Studio says', localOnly('builds a database'), () => {
  test.each(Object.entries(SETTINGS))(
    'of %s names the rule, and the comment beside the cell says it',
    async (table, rules) => {
      const declared = await sql<{ name: string; columns: string[]; comments: string }[]>`
      select k.conname::text as name, array_agg(a.attname::text) as columns,
        concat_ws(' ', obj_description(k.conrelid, 'pg_class'), string_agg(col_description(a.attrelid, a.attnum), ' ')) as comments
      from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
      where k.conrelid = ${table}::regclass and k.contype = 'c'
      group by k.oid, k.conname, k.conrelid
      order by 1`
      expect(declared.map(({ name }) => name).sort()).toEqual(Object.keys(rules).sort())
      for (const { name, columns, comments } of declared) {
        const [change = '', allowed = ''] = rules[name] ?? []
        const error = await errorOf(change.startsWith('insert ') ? change : `update ${table} set ${change}`)
        expect([error.code, error.constraint_name]).toEqual(['23514', name])
        if (columns.length === 1) expect(name).toContain(columns[0])
        expect(comments).toContain(allowed)
      }
    },
  )

  test('is for the tables that the page names as settings, and for terms, which a function sets', () => {
    const page = readFileSync(join(ROOT, 'docs', 'studio.md'), 'utf8')
    const [, section = ''] = page.split(/^## Settings$/m)
    const named = [...section.matchAll(/^\| `([a-z]+\.[a-z_]+)` \|/gm)].map(([, table]) => table)
    expect([...named, 'private.retention_rules'].sort()).toEqual(Object.keys(SETTINGS).sort())
  })

  test.each([
    [
      'a policy on a field that there is not',
      `update public.security_policies set conditions = '{"field": "mood", "op": "eq", "value": 1}'`,
      /^Check conditions\.field: it is one of .*address/,
    ],
    [
      'a policy that does nothing',
      "update public.security_policies set actions = '[]'",
      /^Check actions: it is a list of 1 to 7 actions/,
    ],
    [
      'a policy with an action that there is not',
      `update public.security_policies set actions = '[{"action": "call"}]'`,
      /^Check actions\[0\]\.action: it is one of block_access, /,
    ],
    [
      'a module for a student',
      `insert into public.training_assignments (module_id, user_id)
      select m.id, u.id from public.training_modules m, auth.users u where u.email like 'ada@%' limit 1`,
      /^There is no member of staff with this account\.$/,
    ],
    [
      'the removal of a university with people',
      "delete from public.universities where id = 'northfield'",
      /^northfield still has 1 people, 1 roles and 0 reviews that are not closed\.$/,
    ],
    [
      'a change of the audit log',
      "update public.audit_logs set action = 'signed_in'",
      /^The audit log is append-only\.$/,
    ],
    [
      'a purpose of messages that has no urgency',
      "insert into private.outbox (channel, purpose, recipient, body) values ('email', 'news', 'a@example.edu', 'x')",
      /outbox_purpose_known/,
    ],
  ])('of %s makes sense by itself', async (_what, statement, message) => {
    const error = await errorOf(statement)
    expect(error.message).toMatch(message)
  })
})
