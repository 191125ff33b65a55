import type postgres from 'postgres'
import { newIncident } from '../../../harness/factories/incidents.ts'
import { invented } from '../../../harness/factories/training.ts'
import { newBareUniversity, newCohort } from '../../../harness/factories/universities.ts'
import type { FunctionRights } from './matrix.ts'
import { contactsOf, type World } from './world.ts'

/** Opens what only some functions want, when one of them does. */
type Openings = { openReview: () => Promise<string>; ownAttempt: () => Promise<string> }

/** The arguments of a function that says what they are about. */
export async function argumentsAbout(
  about: FunctionRights['about'],
  sql: postgres.Sql,
  world: World,
  { openReview, ownAttempt }: Openings,
): Promise<object> {
  const review = about.startsWith('a review') ? await openReview() : null
  return {
    university: { university_id: world.home },
    student: { student_id: world.people.student.id },
    nothing: {},
    'a time of no days': { ranges: 0 },
    'a read of the university': { action: 'students_listed', university_id: world.home },
    'a review': { review_id: review },
    'a review and a note': { review_id: review, note: 'Called.' },
    'a review and a colleague': {
      review_id: review,
      counselor_id: about === 'a review and a colleague' ? await newColleague(sql, world.home) : null,
    },
    'a kind message': { student_id: world.people.student.id, kind: 'come_by' },
    'a time of the university': { ...hoursAhead(1, 48), university_id: world.home },
    'a shift of the counselor': {
      starts_at: hoursAhead(1, 2).from_at,
      ends_at: hoursAhead(1, 2).until_at,
      counselor_id: world.people.counselor.id,
      university_id: world.home,
    },
    'a shift that nobody has': { shift_id: crypto.randomUUID() },
    'an hour': { hours: 1 },
    'a crisis contact': { university_id: world.home, rank: 9, email: 'night@elsewhere.example.edu' },
    'the crisis contact': { university_id: world.home, rank: 9 },
    'a crisis contact that nobody is': { university_id: world.home, rank: 8 },
    'terms of claims': { university_id: world.home, risk_level: 'high', remind_after: '4 hours' },
    'a university without people': {
      university_id: about === 'a university without people' ? await newBareUniversity(sql) : null,
    },
    'a new contact': { name: 'Invented', phone: '+1 (202) 555-0177' },
    'a contact of the student': {
      contact_id: (await contactsOf(sql, world.people.student.id))[0],
      relationship: 'friend',
    },
    'a contact and a reason': {
      contact_id: (await contactsOf(sql, world.people.student.id))[0],
      reason: 'An invented reason',
    },
    'the student’s contacts': { contact_ids: await contactsOf(sql, world.people.student.id) },
    'a consent that nobody gave': { kind: 'camera' },
    'kinds of consents': { kinds: ['research_export'], version: '2026-11' },
    'a text of a consent': {
      kind: 'audio',
      version: '0.1',
      language: 'en',
      title: 'Invented',
      body: 'It is invented.',
    },
    'a term': { kind: 'raw_media', keep: '30 days' },
    'an empty page': { page_limit: 0 },
    'a legal hold': { account: world.people.student.id, reason: 'an order of a court' },
    'the held account': { account: world.people.student.id },
    'a module': { module: invented() },
    'a context': { context: { hour: 1 } },
    'an incident': { incident_id: world.incidents[0], note: 'looked at' },
    'an incident that was noticed': {
      type: 'suspicious_activity',
      severity: 'low',
      title: 'Invented',
      description: 'It is invented.',
    },
    'an incident to take': { incident_id: world.incidents[0] },
    'an incident that has ended': {
      incident_id: about === 'an incident that has ended' ? await endedIncident(sql) : null,
      reason: 'It goes on.',
    },
    'an address': { address: '203.0.113.7' },
    'a block that is not in force': { action: 'block_ip', target: '203.0.113.7', reason: 'It is over.' },
    'a policy to try': {
      conditions: { field: 'hour', op: 'lt', value: 5 },
      actions: [{ action: 'block_access' }],
    },
    'an account that nobody has': { person: 'nobody@elsewhere.example.edu' },
    'a change without a migration': { reason: 'It is invented.', object: 'private.unmigrated_idx' },
    'an action about an incident': { incident_id: world.incidents[0], action: 'audit_trail' },
    'a section': { module_id: world.modules[0], sections: ['s1'] },
    'a module that was read': { module_id: world.modules[0] },
    'an own attempt': {
      attempt_id: about === 'an own attempt' ? await ownAttempt() : null,
      answers: {},
    },
    'a security test': { test_name: 'Invented', test_probes: ['worker_doors'] },
    'a test that runs': { test: world.securityTests[0] },
    'a vulnerability': {
      vulnerability: world.securityTests.find((id) => id.startsWith('vul_')),
      reason: 'An invented reason',
      until: new Date(Date.now() + 86_400_000).toISOString(),
    },
    'a vulnerability to open': { vulnerability: world.securityTests.find((id) => id.startsWith('vul_')) },
    'an existing module': { module_id: world.modules[0] },
    'a module for counselors': { module_id: world.modules[0], role: 'counselor' },
    'a fact': { fact: 'access_review', happened_at: new Date(0).toISOString(), reference: 'Invented' },
    'a new colleague': {
      email: `colleague-${crypto.randomUUID()}@elsewhere.example.edu`,
      role: 'counselor',
      university_id: world.home,
    },
    'a colleague': { person: world.people.counselor.id, role: 'counselor', university_id: world.home },
    'a role that nobody has': {
      person: 'nobody@elsewhere.example.edu',
      role: 'counselor',
      university_id: world.home,
    },
    'an invitation that nobody has': {
      email: 'nobody@elsewhere.example.edu',
      role: 'counselor',
      university_id: world.home,
    },
    'a session that nobody has': { session_id: crypto.randomUUID() },
    enrolments: {
      university_id: world.home,
      csv: 'email,student_number,faculty,year,residence',
    },
    'a framework': { framework: 'soc2' },
    'a decision': {
      control_id: 'ctl_hipaa_164_308_b',
      status: 'compliant',
      reason: 'An invented reason',
      evidence: [{ description: 'An invented document' }],
    },
  }[about]
}

/** From and until, so many hours from now. */
function hoursAhead(from: number, until: number): { from_at: string; until_at: string } {
  const [from_at = '', until_at = ''] = [from, until].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  )
  return { from_at, until_at }
}

/** Another counselor of a university. */
async function newColleague(sql: postgres.Sql, university: string): Promise<string> {
  const [id = ''] = await newCohort(sql, university, { students: 1 })
  await sql`insert into public.user_roles (user_id, role, university_id) values (${id}, 'counselor', ${university})`
  return id
}

/** An incident that was resolved. */
async function endedIncident(sql: postgres.Sql): Promise<string> {
  const id = await newIncident(sql)
  await sql`
    update public.security_incidents
    set status = 'resolved', timeline = timeline || private.incident_entry('changed')
    where id = ${id}`
  return id
}
