import fc from 'fast-check'
import { strFromU8 } from 'fflate'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { isObjectName } from '../../../functions/_shared/platform/object-address.ts'
import {
  build,
  downloaded,
  exportOf,
  finish,
  heldExport,
  textOf,
  unpacked,
} from '../../../harness/factories/exports.ts'
import { HOME, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { nameContact } from '../../../harness/factories/support-contacts.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { dose } from '../../depth.ts'

const project = inject('project')
const BUCKET = 'university-files'
const SECRET = `secret-${crypto.randomUUID()}`

let attacker: Student
let victim: Student

/** Names in the attacker's own folder that lead to what is others', by how many levels they go up. */
const leadingOut = (): [levels: number, name: string][] => {
  const own = `${HOME}/students/${attacker.id}`
  return [
    [1, `${own}/../${victim.id}/letter.txt`],
    [2, `${own}/../../shared/${SECRET}.txt`],
    [3, `${own}/../../../lakeview/students/${victim.id}/letter.txt`],
    [4, `${own}/../../../../check-in-media/${victim.id}/${victim.id}/audio`],
    [8, `${own}/../../../../../../../../rest/v1/buddy_contacts`],
    [8, `${own}/../../../../../../../../auth/v1/admin/users`],
    [8, `${own}/../../../../../../../../rest/v1/rpc/read_audit_log`],
  ]
}

/** Stores an object under exactly this name, as no client library would. */
function put(name: string, token: string): Promise<Response> {
  return fetch(`${project.apiUrl}/storage/v1/object/${BUCKET}/${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'text/plain',
    },
    body: 'Mine.',
  })
}

beforeAll(async () => {
  attacker = await newStudent(project, [])
  victim = await newStudent(project, ['support_circle'])
  await nameContact(victim, { name: SECRET })
  const counselor = await newStaff(project, 'counselor')
  const text = new Blob([SECRET], { type: 'text/plain' })
  const sound = new Blob([SECRET], { type: 'audio/wav' })
  const { storage } = serviceClient(project)
  const uploads = await Promise.all([
    victim.client.storage.from(BUCKET).upload(`${HOME}/students/${victim.id}/letter.txt`, text),
    counselor.client.storage.from(BUCKET).upload(`${HOME}/shared/${SECRET}.txt`, text),
    storage.from(BUCKET).upload(`lakeview/students/${victim.id}/letter.txt`, text),
    storage.from('check-in-media').upload(`${victim.id}/${victim.id}/audio`, sound),
  ])
  for (const { error } of uploads) if (error) throw error
})

describe('a student who names files so that they lead to what is others’', () => {
  test('cannot store them, and is exported what is theirs and nothing else', async () => {
    expect((await put(`${HOME}/students/${attacker.id}/note.txt`, attacker.token)).status).toBe(200)
    for (const [, name] of leadingOut()) {
      for (const token of [attacker.token, project.secretKey]) await put(name, token)
    }
    const exported = await exportOf(project, attacker)
    const files = unpacked(await downloaded(exported))
    expect(textOf(files, `media/${BUCKET}/${HOME}/students/note.txt`)).toBe('Mine.')
    for (const [path, bytes] of files) {
      expect(path).not.toContain(SECRET)
      const text = strFromU8(bytes)
      for (const theirs of [SECRET, victim.id, victim.email]) expect(text).not.toContain(theirs)
    }
  })

  test.each([1, 2, 3, 4, 8])('gets nothing by names older than the rule, %i levels up', async (levels) => {
    const names = leadingOut().filter(([up]) => up === levels)
    const objects = names.map(([, name]) => ({ bucket: BUCKET, name, bytes: 5, type: 'text/plain' }))
    for (const content of ['media', 'file'] as const) {
      const student = await newStudent(project, [])
      const volume = { ...(await heldExport(project, student)), content, objects }
      const built = await build(project, volume)
      await finish(project, volume, built)
      expect(built.leftOut).toBe(content === 'file' ? 1 : names.length)
      const stored = await serviceClient(project).storage.from('exports').download(volume.object_name)
      const text = strFromU8(new Uint8Array((await stored.data?.arrayBuffer()) ?? []))
      for (const theirs of [SECRET, victim.email]) expect(text).not.toContain(theirs)
    }
  })
})

describe('a name that could lead elsewhere', () => {
  const own = () => `${HOME}/students/${attacker.id}`

  test.each([
    ['../x', '..'],
    ['./x', '.'],
    ['a/../x', '..'],
    ['a//x', 'an empty level'],
    ['a/.. /x', 'dots that a file system drops the space of'],
    ['a/', 'an empty last level'],
  ])('is refused by the database: %s', async (end) => {
    for (const token of [attacker.token, project.secretKey]) {
      const response = await put(`${own()}/${end}`, token)
      expect([response.ok, (await response.json()).statusCode]).toEqual([false, '403'])
    }
  })

  test('is refused of a file that is moved or copied as well', async () => {
    const bucket = attacker.client.storage.from(BUCKET)
    const from = `${own()}/${crypto.randomUUID()}.txt`
    await put(from, attacker.token)
    const to = `${own()}/../${victim.id}/moved.txt`
    const { storage } = serviceClient(project)
    for (const { error } of [
      await bucket.copy(from, to),
      await storage.from(BUCKET).copy(from, to),
      await storage.from(BUCKET).move(from, to),
    ]) {
      expect(error).toMatchObject({ statusCode: '403' })
    }
    expect((await bucket.download(from)).error).toBeNull()
  })

  test('is the same for the database as for what builds addresses', async () => {
    const unit = fc.constantFrom(
      '.',
      '/',
      ' ',
      '\\',
      '%',
      '2e',
      'a',
      '_',
      '-',
      '\n',
      '․',
      '／',
      'é',
      '?',
      '#',
      '~',
    )
    const names = fc.sample(
      fc.oneof(
        fc.string({ unit, maxLength: 8 }),
        fc.integer({ min: 1020, max: 1030 }).map((n) => 'x'.repeat(n)),
      ),
      { numRuns: dose(2000, 100_000), seed: 1 },
    )
    const rows = await withDatabase(
      project,
      (sql) => sql<{ name: string; is_plain: boolean }[]>`
        select name, private.is_object_name(name) as is_plain from unnest(${names}::text[]) name`,
    )
    expect(rows.filter(({ name, is_plain }) => is_plain !== isObjectName(name))).toEqual([])
  })

  test('is removed by the service where it is older than the rule', async () => {
    const name = `${own()}/../${crypto.randomUUID()}`
    await withDatabase(project, (sql) =>
      sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`
        await tx`insert into storage.objects (bucket_id, name) values (${BUCKET}, ${name})`
        await tx`set local session_replication_role = origin`
        await tx`select private.queue_object_removal(${BUCKET}, ${name}, 'test')`
      }),
    )
    const left = () =>
      withDatabase(
        project,
        (sql) => sql`
          select name from storage.objects where name = ${name} union all select name from private.object_removals where name = ${name}`,
      )
    await expect.poll(left).toEqual([])
  })

  test('is none that has dots within its levels, which is stored', async () => {
    const response = await put(`${own()}/..a/b..c/${crypto.randomUUID()}...txt`, attacker.token)
    expect(response.status).toBe(200)
  })
})
