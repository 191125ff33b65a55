import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import type { Student } from '../../../harness/factories/students.ts'
import { newAttempt } from '../../../harness/factories/training.ts'
import { serviceClient } from '../../../harness/stack/project.ts'
import { argumentsAbout } from './function-arguments.ts'
import { FUNCTIONS, TABLES } from './matrix.ts'
import { restWay } from './ways.ts'
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

  test.each(Object.entries(TABLES))('reaches nothing of %s', async (table, { key, change }) => {
    const before = await rowsOf(sql, world, table, key)
    const keys = before.map((row) => row.key)
    expect(keys).not.toEqual([])
    const outcomes = await Promise.all(
      people.flatMap(({ id, token }) => {
        const way = restWay(project, token)
        return [
          way.select(table, key, null),
          way.insert(table, key, ownRow(table, id)),
          way.update(table, key, keys, change ?? { [key]: keys[0] }),
          way.remove(table, key, keys),
        ]
      }),
    )
    expect(outcomes.map((outcome) => outcome.keys)).toEqual(outcomes.map(() => []))
    expect(await rowsOf(sql, world, table, key)).toEqual(before)
  })

  test.each(Object.keys(FUNCTIONS))('gets nothing from %s', async (name) => {
    const args = await argumentsAbout(FUNCTIONS[name]?.about ?? 'nothing', sql, world, {
      openReview: () => openReview(world),
      ownAttempt: () => newAttempt(sql, world.people.counselor.id, world.modules[0]),
    })
    const empty = [null, false, [], { students: [], total: 0 }]
    for (const { ok, body } of await Promise.all(people.map(({ token }) => rpc(name, token, args)))) {
      if (ok) expect(body).toBeOneOf(empty)
      else expect(body).toMatchObject({ code: expect.any(String) })
    }
  })

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

async function rpc(name: string, token: string, args: object): Promise<{ ok: boolean; body: unknown }> {
  const response = await fetch(`${project.apiUrl}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(args),
  })
  return { ok: response.ok, body: JSON.parse((await response.text()) || 'null') }
}
