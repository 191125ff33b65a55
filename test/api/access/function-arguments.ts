import type postgres from 'postgres'
import { invented } from '../../../harness/factories/training.ts'
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
  return {
    university: { university_id: world.home },
    student: { student_id: world.people.student.id },
    nothing: {},
    'a read of the university': { action: 'students_listed', university_id: world.home },
    'a review': { review_id: about === 'a review' ? await openReview() : null },
    'the student’s contacts': { contact_ids: await contactsOf(sql, world.people.student.id) },
    'a consent that nobody gave': { kind: 'camera' },
    'a term': { kind: 'raw_media', keep: '30 days' },
    'an empty page': { page_limit: 0 },
    'a legal hold': { account: world.people.student.id, reason: 'an order of a court' },
    'the held account': { account: world.people.student.id },
    'a module': { module: invented() },
    'a context': { context: { hour: 1 } },
    'an incident': { incident_id: world.incidents[0], note: 'looked at' },
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
    'a new colleague': {
      email: `colleague-${crypto.randomUUID()}@elsewhere.example.edu`,
      role: 'counselor',
      university: world.home,
    },
    'a colleague': { person: world.people.counselor.id, role: 'counselor', university: world.home },
    'a role that nobody has': {
      person: 'nobody@elsewhere.example.edu',
      role: 'counselor',
      university: world.home,
    },
    'an invitation that nobody has': {
      email: 'nobody@elsewhere.example.edu',
      role: 'counselor',
      university: world.home,
    },
    enrolments: {
      university: world.home,
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
