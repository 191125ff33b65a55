import { beforeAll, describe, expect, inject, test } from 'vitest'
import { ROUTES } from '../../../functions/api/routes.ts'
import { call } from '../../../harness/client/call.ts'
import { requestOf } from '../../../harness/client/endpoints.ts'
import { newUniversity } from '../../../harness/factories/security-policies.ts'
import { newStaff, newStudent, type StaffRole, type Student } from '../../../harness/factories/students.ts'

const project = inject('project')

const SECURITY: readonly StaffRole[] = ['security_admin']
const EVERY_STAFF: readonly StaffRole[] = ['counselor', 'university_admin', 'security_admin']

/** The calls of staff, and whose they are. */
const OF_STAFF: Record<string, readonly StaffRole[]> = {
  ...Object.fromEntries(
    [
      'setupTables',
      'detectIncidents',
      'listIncidents',
      'readIncident',
      'recordIncident',
      'respondToIncident',
      'createSecurityPolicy',
      'changeSecurityPolicy',
      'listSecurityPolicies',
      'evaluateSecurityPolicies',
      'readPolicyStatistics',
      'createSecurityTest',
      'listSecurityTests',
      'readSecurityTestStatistics',
      'readSecurityTest',
      'executeSecurityTest',
      'listVulnerabilities',
      'acceptVulnerability',
      'assessCompliance',
      'makeComplianceReport',
      'decideComplianceControl',
      'listComplianceControls',
      'createTrainingModule',
      'assignTraining',
      'readTrainingStatistics',
    ].map((id) => [id, SECURITY]),
  ),
  makeTrainingProgress: EVERY_STAFF,
  changeUniversity: ['university_admin'],
  getAnalyticsDashboard: ['university_admin'],
  getAnalyticsReviews: ['university_admin'],
  getAnalyticsWellbeing: ['university_admin'],
  getAnalyticsTrends: ['university_admin'],
  listStudents: ['counselor'],
}

/** The calls of everybody with an account. Whoever is no student has nothing there, or gets what staff may see. */
const OF_EVERYBODY = [
  'signOut',
  'listFactors',
  'enrollFactor',
  'challengeFactor',
  'verifyFactor',
  'unenrollFactor',
  'databaseHealth',
  'selectRows',
  'insertRows',
  'updateRows',
  'deleteRows',
  'uploadFile',
  'downloadFile',
  'listUniversities',
  'readListedUniversity',
  'readUniversity',
  'readStudent',
  'readHistory',
  'listAccesses',
  'listOwnTraining',
  'readTrainingModule',
  'startCheckIn',
  'completeCheckIn',
  'getCheckIn',
  'getCurrentCheckIn',
  'analyzeAudio',
  'analyzeVisual',
  'analyzeText',
  'calculateWellbeingScore',
  'analyzeTranscript',
  'sendBuddyVerification',
  'requestBuddyCheckIn',
  'requestExport',
  'listExports',
  'readExport',
  'cancelExport',
  'requestErasure',
  'readErasure',
  'cancelErasure',
]

const calls = ROUTES.filter(({ security }) => security === 'user')
const staffCalls = calls.filter(({ id }) => id in OF_STAFF)

const people = {
  student: () => newStudent(project, []),
  counselor: () => newStaff(project, 'counselor'),
  'university admin': () => newStaff(project, 'university_admin'),
  'university admin elsewhere': async () =>
    newStaff(project, 'university_admin', await newUniversity(project)),
  'security admin': () => newStaff(project, 'security_admin'),
}
type Role = keyof typeof people

/** Whether the examples of a call, which name Northfield, are for somebody of that role. */
function isFor(role: Role, id: string): boolean {
  const staff: readonly string[] = OF_STAFF[id] ?? []
  if (role === 'university admin elsewhere') return id === 'makeTrainingProgress'
  return staff.includes(role.replace(' ', '_'))
}

test('every call is somebody’s', () => {
  expect(calls.map(({ id }) => id).sort()).toEqual([...Object.keys(OF_STAFF), ...OF_EVERYBODY].sort())
})

describe.each(Object.keys(people) as Role[])('of %s', (role) => {
  let person: Student
  beforeAll(async () => {
    person = await people[role]()
  })

  test('who calls is asked before what was sent', async () => {
    const outcomes = await Promise.all(
      // Of those that the person may make, none that does something: a bad body keeps it from being done.
      staffCalls
        .filter(({ id, method, body }) => !isFor(role, id) || method === 'get' || body)
        .map(async (route) => {
          const { method, path } = requestOf(route)
          // No JSON: nobody could validate it.
          const bad = route.body ? '{' : undefined
          const { status, body } = await call(project, person.token, method, path, bad)
          return { id: route.id, status, code: body.code }
        }),
    )
    for (const { id, status, code } of outcomes) {
      if (isFor(role, id)) expect({ id, status, code }).not.toMatchObject({ code: 'forbidden' })
      else expect({ id, status, code }).toEqual({ id, status: 403, code: 'forbidden' })
      expect({ id, status }).not.toMatchObject({ status: expect.toBeOneOf([401, 429, 500]) })
    }
  })
})

test.each([
  ['getAnalyticsTrends', 'GET', 'api/analytics/trends?step=never'],
  ['listStudents', 'GET', 'api/students?limit=none'],
  ['readIncident', 'GET', 'api/security/incidents/nothing'],
  ['changeUniversity', 'PUT', 'api/university/NOT%20AN%20ID'],
])('a student learns nothing of what is wrong with the parameters of %s', async (_, method, path) => {
  const { token } = await newStudent(project, [])
  expect(await call(project, token, method, path, method === 'PUT' ? {} : undefined)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
})
