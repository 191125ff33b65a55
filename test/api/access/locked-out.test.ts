import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import type { Student } from '../../../harness/factories/students.ts'
import { newAttempt } from '../../../harness/factories/training.ts'
import { serviceClient } from '../../../harness/stack/project.ts'
import { inDepth } from '../../depth.ts'
import { argumentsAbout } from './function-arguments.ts'
import { FUNCTIONS, TABLES } from './matrix.ts'
import { callByRequest, callInDatabase, databaseWay, restWay } from './ways.ts'
import { buildWorld, keepFigures, rowsOf, type World } from './world.ts'

const project = inject('project')
const sql = postgres(project.databaseUrl, { max: 3, onnotice: () => {} })
const service = serviceClient(project)

/** How an account is locked out while its token still has an hour. */
const ENDS: [string, (person: Student) => Promise<{ error: unknown }>][] = [
  ['banned', ({ id }) => service.auth.admin.updateUserById(id, { ban_duration: '1h' })],
  ['signed out', ({ client }) => client.auth.signOut()],
  ['without a role', async ({ id }) => service.from('user_roles').delete().eq('user_id', id)],
]

describe.each(ENDS)('an account that is %s', (end, lockOut) => {
  let world: World
  let people: Student[]
  let letGo: (() => Promise<void>) | undefined
  beforeAll(async () => {
    world = await buildWorld(project, sql)
    letGo = await keepFigures(sql, world)
    const { student, counselor, 'university admin': admin, 'security admin': security } = world.people
    people = [student, counselor, admin, security]
    for (const person of people) {
      const { error } = await lockOut(person)
      if (error) throw error
    }
  }, 120_000)
  afterAll(() => letGo?.())

  /** Whether it is by a request that somebody asks of the thing at a place of a list, each in turn; the others ask the database itself. */
  const asksByRequest = ({ id }: Student, place: number) =>
    inDepth || people[place % people.length]?.id === id

  test.each(Object.entries(TABLES).map(([table, rights], place) => [table, rights, place] as const))(
    'reaches nothing of %s',
    async (table, { key, change }, place) => {
      const before = await rowsOf(sql, world, table, key)
      const keys = before.map((row) => row.key)
      expect(keys).not.toEqual([])
      const outcomes = await Promise.all(
        people.flatMap((person) => {
          const way = asksByRequest(person, place)
            ? restWay(project, person.token)
            : databaseWay(sql, person.token)
          return [
            way.select(table, key, null),
            way.insert(table, key, ownRow(table, person.id)),
            way.update(table, key, keys, change ?? { [key]: keys[0] }),
            way.remove(table, key, keys),
          ]
        }),
      )
      expect(outcomes.map((outcome) => outcome.keys)).toEqual(outcomes.map(() => []))
      expect(await rowsOf(sql, world, table, key)).toEqual(before)
    },
  )

  test.each(Object.keys(FUNCTIONS).map((name, place) => [name, place] as const))(
    'gets nothing from %s',
    async (name, place) => {
      const args = await argumentsAbout(FUNCTIONS[name]?.about ?? 'nothing', sql, world, {
        openReview: () => openReview(world),
        ownAttempt: () => newAttempt(sql, world.people.counselor.id, world.modules[0]),
      })
      const empty = [null, false, [], { students: [], total: 0 }]
      const answers = people.map((person) =>
        asksByRequest(person, place)
          ? callByRequest(project, person.token, name, args)
          : callInDatabase(sql, person.token, name, args),
      )
      for (const { status, code, answer } of await Promise.all(answers)) {
        if (status < 300) expect(answer).toBeOneOf(empty)
        else expect(code).toEqual(expect.any(String))
      }
    },
  )

  const mayExport = end === 'without a role'
  test(`takes ${mayExport ? '' : 'not even '}along what is stored of it`, async () => {
    const { token } = world.people.student
    const { status } = await call(project, token, 'POST', 'api/privacy/exports', {})
    expect(status).toBe(mayExport ? 202 : 401)
  })
})

/** A row that a student may add. */
function ownRow(table: string, owner: string): object {
  if (table === 'public.consents') return { user_id: owner, kind: 'support_circle', version: '2026-11' }
  if (table === 'public.assessment_sessions') return { user_id: owner, assessment_type: 'daily' }
  return { user_id: owner }
}

/** A review that a counselor of the home university could claim. */
async function openReview({ people: { 'other student': student } }: World): Promise<string> {
  await sql`select private.open_clinical_review(${student.id}, 'session', ${crypto.randomUUID()})`
  const [review] = await sql<[{ id: string }]>`
    select id from public.clinical_reviews where user_id = ${student.id} and status = 'open'`
  return review.id
}
