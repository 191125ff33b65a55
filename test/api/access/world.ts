import type postgres from 'postgres'
import { actAs, giveConsents } from '../../../harness/factories/consents.ts'
import { newIncident } from '../../../harness/factories/incidents.ts'
import { newStaff, newStudent, type StaffRole, type Student } from '../../../harness/factories/students.ts'
import { newModule, takeModule } from '../../../harness/factories/training.ts'
import type { Project } from '../../../harness/stack/project.ts'
import { type SignedIn, TABLES } from './matrix.ts'

/** A row of the world: whose it is, and of which university. */
export type Row = { key: string; owner: string | null; university: string | null }

/** Two universities with people in every role, and rows of theirs in every table. */
export type World = {
  people: Record<SignedIn | 'student elsewhere', Student>
  home: string
  elsewhere: string
  /** A university and an account that nothing hangs on, and an account that has no profile. */
  spareUniversity: string
  spareAccount: string
  accountWithoutProfile: string
  /** Modules of training: one that all staff have taken, and one that nobody has. */
  modules: readonly [taken: string, other: string]
  /** Security policies that are off. */
  policies: readonly string[]
  /** Incidents that concern nobody. */
  incidents: readonly [string, string]
  /** Controls that no check assesses, so that nobody changes them meanwhile, and assessments, which nothing changes. */
  compliance: readonly string[]
  /** Two security tests, of which each has a run that goes on and is never carried out, and two vulnerabilities. */
  securityTests: readonly string[]
  /** Titles of texts of consents, of an early version. */
  consentTexts: readonly string[]
  /** Days of long ago, the same in every world. */
  scoringDays: readonly string[]
  /** Reasons that no analysis gives. */
  reasons: readonly string[]
  universityOf(account: string): string | null
}

/** Builds the world as the project's owner would find it after some use. */
export async function buildWorld(project: Project, sql: postgres.Sql): Promise<World> {
  const name = `w${crypto.randomUUID().slice(0, 8)}`
  const [home, elsewhere, spareUniversity] = [`${name}-home`, `${name}-elsewhere`, `${name}-spare`]
  const ofSecurity = `${name}-security`
  for (const id of [home, elsewhere, spareUniversity, ofSecurity]) {
    await sql`
      insert into public.universities (id, name, short_name, domain)
      values (${id}, ${`${id} (invented)`}, ${id}, ${`${id}.example.edu`})`
  }
  const staff = (role: StaffRole, university: string) => newStaff(project, role, university)
  const [student, other, far, spare, bare] = await Promise.all(
    [home, home, elsewhere, home, home].map((university) => studentAt(project, sql, university)),
  )
  if (!student || !other || !far || !spare || !bare) throw new Error('Not everybody was made')
  const people = {
    student,
    'other student': other,
    'student elsewhere': far,
    counselor: await staff('counselor', home),
    'counselor elsewhere': await staff('counselor', elsewhere),
    'university admin': await staff('university_admin', home),
    'university admin elsewhere': await staff('university_admin', elsewhere),
    'security admin': await staff('security_admin', ofSecurity),
  }
  // The last ones keep the role, whoever asks.
  await staff('security_admin', ofSecurity)
  await staff('university_admin', home)
  await sql`delete from public.profiles where user_id = ${bare.id}`
  await agreeToSupportCircle(sql, Object.values(people))
  for (const person of [student, other, far]) await fill(sql, person.id)
  const modules = [await newModule(sql), await newModule(sql)] as const
  for (const [role, { id }] of Object.entries(people)) {
    if (!role.includes('student')) await takeModule(sql, id, modules[0])
  }

  const policies = await sql<{ id: string }[]>`
    insert into public.security_policies (name, category, type, conditions, actions, priority, enabled)
    select 'Invented', 'monitoring', 'detective', '{"field": "hour", "op": "gte", "value": 0}', '[{"action": "log_events"}]', 1, false
    from generate_series(1, 2)
    returning id`
  const incidents = [await newIncident(sql), await newIncident(sql)] as const
  const assessments = await sql<{ id: string }[]>`
    select id from unnest(array['soc2', 'soc2']::public.compliance_framework[]) as f, private.assess_compliance(f)`

  const consentTexts = [`${name} en`, `${name} de`]
  await sql`
    insert into public.consent_texts (kind, version, language, title, body)
    select 'audio', ${`0.${Number.parseInt(name.slice(1), 16)}`}, right(title, 2), title, 'It is invented.'
    from unnest(${consentTexts}::text[]) as title`

  const scoringDays = ['2020-01-01', '2020-01-02']
  await sql`
    insert into public.scoring_days (day, algorithm_version)
    select day, 'wb-1.0.0' from unnest(${scoringDays}::date[]) as day
    on conflict do nothing`

  const reasons = ['invented_reason', 'other_invented_reason']
  await sql`
    insert into public.failure_reasons (code, language, title, advice)
    select code, 'en', 'Nothing happened.', 'Do nothing.' from unnest(${reasons}::text[]) as code
    on conflict do nothing`

  const places = new Map<string, string>(
    Object.entries(people).map(([role, { id }]) => [id, role.endsWith('elsewhere') ? elsewhere : home]),
  )
  places.set(people['security admin'].id, ofSecurity)
  return {
    people,
    home,
    elsewhere,
    spareUniversity,
    spareAccount: spare.id,
    accountWithoutProfile: bare.id,
    modules,
    policies: policies.map(({ id }) => id),
    incidents,
    compliance: ['ctl_gdpr_28', 'ctl_soc2_cc9_2', ...assessments.map(({ id }) => id)],
    securityTests: [...(await newSecurityTest(sql)), ...(await newSecurityTest(sql))],
    consentTexts,
    scoringDays,
    reasons,
    universityOf: (account) => places.get(account) ?? null,
  }
}

async function studentAt(project: Project, sql: postgres.Sql, university: string): Promise<Student> {
  const person = await newStudent(project, [])
  await sql`update public.profiles set university_id = ${university} where user_id = ${person.id}`
  await sql`update public.user_roles set university_id = ${university} where user_id = ${person.id}`
  return person
}

/** A security test with a run that nobody carries out meanwhile, and a vulnerability; their ids. */
async function newSecurityTest(sql: postgres.Sql): Promise<string[]> {
  return sql.begin(async (tx) => {
    const [made] = await tx<[{ test: string; run: string; vulnerability: string }]>`
      with test as (
        insert into public.security_tests (name, probes) values ('Invented', '{worker_doors}') returning id
      ),
      run as (
        insert into public.security_test_runs (test_id) select id from test returning id
      )
      insert into public.vulnerabilities (probe, fault, title, severity, found_in)
      select 'worker_doors', 'invented:' || gen_random_uuid(), 'Invented', 'low', id from run
      returning (select id from test) as test, found_in as run, id as vulnerability`
    // As if a worker had it.
    await tx`
      update public.security_test_results set status = 'running', attempts = 1, due_at = now() + interval '1 day'
      where run_id = ${made.run}`
    return [made.test, made.run, made.vulnerability]
  })
}

/** Without the consent nobody names a contact. */
const agreeToSupportCircle = (sql: postgres.Sql, people: Student[]) =>
  sql.begin((tx) =>
    giveConsents(
      tx,
      people.map(({ id }) => id),
      ['support_circle'],
    ),
  )

/** Ids of the active contacts of an account. */
export async function contactsOf(sql: postgres.Sql, account: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from public.buddy_contacts where user_id = ${account} and is_active`
  return rows.map(({ id }) => id)
}

/** Gives a student rows in every table of students. */
async function fill(sql: postgres.Sql, student: string): Promise<void> {
  const [checkIn, session] = [crypto.randomUUID(), crypto.randomUUID()]
  await sql.begin((tx) => giveConsents(tx, [student], ['text', 'counselor_access']))
  // A role that no row of students depends on.
  await sql`insert into public.user_roles (user_id, role) values (${student}, 'student')`
  await sql`
    insert into public.assessment_sessions (id, user_id, assessment_type)
    values (${session}, ${student}, 'baseline'), (${crypto.randomUUID()}, ${student}, 'daily')`
  const analysis = { modality: 'text', analysis: {}, measures: {}, quality: 1, risk_level: 'high' }
  await sql`select private.store_session_analysis(${session}, ${student}, ${sql.json(analysis)})`
  const score = {
    final_score: 20,
    confidence: 0.5,
    risk_level: 'high',
    fusion_score: {},
    algorithm_version: 'test',
  }
  await sql`select private.store_session_score(${session}, ${student}, ${sql.json(score)})`
  // The matrix withdraws it, which may delete nothing of the other tables.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update public.consents set kind = 'research_export' where user_id = ${student} and kind = 'text'`
  })
  const [contact] = await sql<[{ id: string }]>`
    insert into public.buddy_contacts (user_id, name, phone) values (${student}, 'Invented', '+12025550100') returning id`
  await sql`
    insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type)
    values (${contact.id}, ${student}, 'verification_sent')`
  await sql`insert into checkin.check_ins (id, user_id, type) values (${checkIn}, ${student}, 'daily')`
  for (const table of ['audio_analysis', 'visual_analysis', 'text_analysis']) {
    await sql`
      insert into ${sql(`checkin.${table}`)} (check_in_id, user_id, quality) values (${checkIn}, ${student}, 1)`
  }
  await sql`
    insert into checkin.fusion_results (
      check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes,
      drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version
    )
    values (
      ${checkIn}, ${student}, 60, 0.4, 'same', 'low', 'none', 'You sound well.', '{}', '{}', '{}', '[]', '[]', '{}', 'test'
    )`
  await sql`
    insert into public.buddy_check_in_requests (buddy_contact_id, user_id, request_type)
    values (${contact.id}, ${student}, 'user_initiated')`
  await sql`
    insert into public.support_alerts (user_id, status, worrying_days, all_right_at, ended_at)
    values (${student}, 'resolved', 3, now(), now())`
  for (const [table, { row }] of Object.entries(TABLES)) {
    if (!row) continue
    await sql.begin(async (tx) => {
      await actAs(tx, student)
      await tx`insert into ${tx(table)} ${tx({ user_id: student, ...row })}`
    })
  }
}

async function fillUniversity(sql: postgres.Sql, university: string): Promise<void> {
  await sql`
    insert into public.cohort_days (university_id, day, students, ended, completed, score_sum)
    values (${university}, '2026-10-01', 20, 22, 20, 1200)
    on conflict do nothing`
  await sql`
    insert into public.cohort_snapshots (university_id, students, high_risk, moderate_risk, as_of)
    values (${university}, 20, 1, 2, '2026-10-01')
    on conflict do nothing`
}

/**
 * Gives both universities figures, and lets no day be closed, which would take them away, until the function that comes back
 * is called.
 */
export async function keepFigures(sql: postgres.Sql, world: World): Promise<() => Promise<void>> {
  const held = await sql.reserve()
  await held`select pg_advisory_lock_shared(private.rollup_lock())`
  for (const university of [world.home, world.elsewhere]) await fillUniversity(sql, university)
  return async () => {
    await held`select pg_advisory_unlock_shared(private.rollup_lock())`
    held.release()
  }
}

/** The rows of the world that a table holds. */
export async function rowsOf(
  sql: postgres.Sql,
  world: World,
  table: string,
  key: string,
): Promise<(Row & { content: Record<string, unknown> })[]> {
  const accounts = Object.values(world.people).map(({ id }) => id)
  if (table === 'public.profiles') accounts.push(world.spareAccount)
  const universities = [world.home, world.elsewhere]
  if (table === 'public.universities') universities.push(world.spareUniversity)
  // By a column and not by the row as JSON, so that indexes find them among those of all suites.
  const ofTheWorld: Record<string, [column: string, values: readonly string[]]> = {
    'public.universities': ['id', universities],
    'public.security_policies': ['id', world.policies],
    'public.security_incidents': ['id', world.incidents],
    'public.training_modules': ['id', world.modules],
    'public.consent_texts': ['title', world.consentTexts],
    'public.scoring_days': ['day', world.scoringDays],
    'public.failure_reasons': ['code', world.reasons],
    'public.security_tests': ['id', world.securityTests],
    'public.security_test_runs': ['id', world.securityTests],
    'public.security_test_results': ['run_id', world.securityTests],
    'public.vulnerabilities': ['id', world.securityTests],
    'public.compliance_controls': ['id', world.compliance],
    'public.compliance_assessments': ['id', world.compliance],
  }
  const isOfPeople = (await columnsOf(sql, table)).includes('user_id')
  const [column, values] =
    ofTheWorld[table] ?? (isOfPeople ? ['user_id', accounts] : ['university_id', universities])
  const found = await sql<{ content: Record<string, unknown> }[]>`
    select to_jsonb(t) as content from ${sql(table)} t
    where ${sql(column)} = any (${[...values]})
    order by to_jsonb(t) ->> ${key}`
  return found.map(({ content }) => {
    const owner = typeof content.user_id === 'string' ? content.user_id : null
    const named = table === 'public.universities' ? content.id : content.university_id
    return {
      key: String(content[key]),
      owner,
      university: owner ? world.universityOf(owner) : String(named),
      content,
    }
  })
}

const columns = new Map<string, Promise<string[]>>()

/** Columns of a table that take values. */
export function columnsOf(sql: postgres.Sql, table: string): Promise<string[]> {
  const known =
    columns.get(table) ??
    sql<{ name: string }[]>`
      select attname::text as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.then(
      (rows) => rows.map(({ name }) => name),
    )
  columns.set(table, known)
  return known
}

/** Puts rows back as they were, without the triggers that would make something of it. */
export async function restore(
  sql: postgres.Sql,
  table: string,
  key: string,
  rows: { key: string; content: Record<string, unknown> }[],
): Promise<void> {
  const names = await columnsOf(sql, table)
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`
    await transaction`
      delete from ${transaction(table)} where ${transaction(key)} = any (${rows.map((row) => row.key)})`
    for (const { content } of rows) {
      await transaction`
        insert into ${transaction(table)} (${transaction(names)}) overriding system value
        select ${transaction(names)} from jsonb_populate_record(null::${transaction(table)}, ${transaction.json(JSON.parse(JSON.stringify(content)))})`
    }
  })
}
