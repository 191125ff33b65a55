import type { TransactionSql } from 'postgres'
import { describe, expect, inject, test, vi } from 'vitest'
import { call, send } from '../../../harness/client/call.ts'
import {
  build,
  downloaded,
  exportIs,
  exportOf,
  finish,
  heldExport,
  readExport,
  requestExport,
} from '../../../harness/factories/exports.ts'
import { HOME, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const bucket = () => serviceClient(project).storage.from('exports')

/** Waits until nothing of a person is left in the bucket. */
const noFiles = ({ id }: { id: string }) =>
  withDatabase(project, (sql) =>
    vi.waitFor(
      async () =>
        expect(
          await sql`select name from storage.objects where bucket_id = 'exports' and starts_with(name, ${id})`,
        ).toEqual([]),
      { timeout: 60_000, interval: 100 },
    ),
  )

const cronTick = () => withDatabase(project, (sql) => sql`select private.dispatch_due_exports()`)

describe('a person may have', () => {
  test('one export at a time, however many are asked for at once', async () => {
    const student = await newStudent(project, [])
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => call(project, student.token, 'POST', 'api/privacy/exports', {})),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409, 409])
    const id = responses.find(({ status }) => status === 202)?.body.id
    for (const { status, body } of responses) {
      if (status === 409) expect(body).toMatchObject({ code: 'export_running', details: { id } })
    }
  })

  test('three on a day where they are, without those that failed', async () => {
    const student = await newStudent(project, [])
    // Where it is between noon and one. Who changes their zone has the rest of the day in which they do.
    const hour = new Date().getUTCHours()
    const time_zone = `Etc/GMT${hour < 12 ? '-' : '+'}${Math.abs(hour - 12)}`
    await withDatabase(project, async (sql) => {
      await sql`update public.profiles set time_zone = ${time_zone} where user_id = ${student.id}`
      await sql`update public.profiles set zone_day_began_at = null where user_id = ${student.id}`
    })
    const ended = (status: string, hours: number) =>
      withDatabase(
        project,
        (sql) => sql`
          insert into private.exports (user_id, include_name, status, error_code, created_at, ended_at)
          select ${student.id}, false, ${status}::private.export_status,
            case ${status} when 'failed' then 'worker_lost' end, now() - make_interval(hours => ${hours}), now()`,
      )
    await ended('cancelled', 13)
    await ended('failed', 3)
    await ended('cancelled', 11)
    await ended('expired', 2)
    await ended('cancelled', 1)
    const { status, headers, body } = await call(project, student.token, 'POST', 'api/privacy/exports', {})
    expect([status, body.code]).toEqual([429, 'export_limit'])
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThan(10.9 * 3600)
    expect(wait).toBeLessThanOrEqual(12 * 3600)
    await withDatabase(
      project,
      (sql) => sql`delete from private.exports where user_id = ${student.id} and status = 'expired'`,
    )
    await requestExport(project, student)
  })
})

/** Status of an unknown link's response, once what other tests of this address have tried is not counted. */
async function statusOfUnknown(ask: () => Promise<Response>): Promise<number> {
  const { status } = await ask()
  if (status !== 429) return status
  await withDatabase(project, (sql) => sql`delete from private.rate_limit_uses where scope = 'unknown-link'`)
  return statusOfUnknown(ask)
}

describe('an export that is ready', () => {
  test('can be downloaded for seven days, and is announced by channel and email without anything personal', async () => {
    const student = await newStudent(project, [])
    await student.client.from('profiles').update({ first_name: 'Ottoline' }).eq('user_id', student.id)
    const events: { status: string }[] = []
    await student.client.realtime.setAuth(student.token)
    const channel = student.client.channel(`account:${student.id}`, { config: { private: true } })
    channel.on('broadcast', { event: 'export' }, ({ payload }) => events.push(payload))
    await new Promise<void>((resolve) => channel.subscribe((state) => state === 'SUBSCRIBED' && resolve()))
    const { id, ready_at, expires_at } = await exportOf(project, student)
    expect(Date.parse(expires_at ?? '') - Date.parse(ready_at ?? '')).toBe(7 * 86_400_000)
    await vi.waitFor(
      () => expect(events.at(-1)).toMatchObject({ id, status: 'ready', expires_at: expect.any(String) }),
      {
        timeout: 20_000,
      },
    )
    await student.client.removeAllChannels()
    const [mail] = await withDatabase(
      project,
      (sql) =>
        sql`select recipient, subject, body from private.outbox where user_id = ${student.id} and purpose = 'export'`,
    )
    expect(mail).toMatchObject({ recipient: student.email, subject: 'Your data is ready to download' })
    expect(mail?.body).not.toMatch(new RegExp(`Ottoline|${student.email}|${student.id}`))
    expect(mail?.body).toMatch(/\/api\/privacy\/download\?token=[0-9a-f]{64}/)
  })

  test('has a page behind the link in the email, whose button deletes it', async () => {
    const student = await newStudent(project, [])
    const exported = await exportOf(project, student)
    const path = await linkOf(student)
    const page = await send(project, null, 'GET', path)
    expect(page.status).toBe(200)
    const text = await page.text()
    const [, url = ''] = /href="([^"]+token=[^"]+)"/.exec(text) ?? []
    expect((await fetch(url.replaceAll('&amp;', '&'))).headers.get('content-type')).toBe('application/zip')
    expect(text).not.toContain(student.email)

    const post = () =>
      fetch(`${project.apiUrl}/functions/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await post()).status).toBe(200)
    expect(await statusOfUnknown(post)).toBe(404)
    expect(await statusOfUnknown(() => send(project, null, 'GET', path))).toBe(404)
    expect(await readExport(project, student, exported.id)).toMatchObject({
      status: 'cancelled',
      volumes: [{ url: null }],
    })
    await noFiles(student)
    expect((await fetch(exported.volumes[0]?.url ?? '')).ok).toBe(false)
  })

  test('is nobody else’s, whatever they try', async () => {
    const student = await newStudent(project, ['counselor_access'])
    const exported = await exportOf(project, student)
    const name = `${student.id}/${exported.id}/1`
    const others = await Promise.all([
      newStudent(project, []),
      newStaff(project, 'counselor'),
      newStaff(project, 'university_admin'),
      newStaff(project, 'security_admin'),
    ])
    for (const { token, client } of others) {
      const path = `api/privacy/exports/${exported.id}`
      expect((await call(project, token, 'GET', path)).body.code).toBe('export_not_found')
      expect((await call(project, token, 'DELETE', path)).body.code).toBe('export_not_found')
      expect((await call(project, token, 'GET', 'api/privacy/exports')).body).toEqual({ exports: [] })
      await expectNoFile(client, name, student.id)
      const channel = client.channel(`account:${student.id}`, { config: { private: true } })
      const joined = await new Promise((resolve) => channel.subscribe(resolve))
      expect(joined).toBe('CHANNEL_ERROR')
      await client.removeAllChannels()
    }
    // Neither by its person past the API, whose addresses end after an hour.
    await expectNoFile(student.client, name, student.id)
    expect((await send(project, null, 'GET', 'api/privacy/exports')).status).toBe(401)
    for (const guess of ['0'.repeat(64), '', 'null', await hashOfLink(student)]) {
      const guessed = () => send(project, null, 'GET', `api/privacy/download?token=${guess}`)
      expect(await statusOfUnknown(guessed)).toBe(404)
    }
    expect((await readExport(project, student, exported.id)).status).toBe('ready')
    expect(await downloaded(exported)).toHaveLength(1)
  })

  test('ends with its time, and its files with it', async () => {
    const student = await newStudent(project, [])
    const { id } = await exportOf(project, student)
    const expires = new Date(Date.now() + 600_000).toISOString()
    await withDatabase(
      project,
      (sql) => sql`update private.exports set expires_at = ${expires} where id = ${id}`,
    )
    const [volume] = (await readExport(project, student, id)).volumes
    // Storage counts whole seconds from when it signs.
    expect(Date.parse(volume?.url_expires_at ?? '')).toBeLessThan(Date.parse(expires) + 60_000)
    // Also before the cron job has come to it.
    await withDatabase(project, (sql) =>
      sql.begin(async (tx) => {
        await tx`update private.exports set expires_at = now() where id = ${id}`
        expect(await statusInside(tx, student)).toBe('expired')
      }),
    )
    await cronTick()
    expect(await readExport(project, student, id)).toMatchObject({
      status: 'expired',
      volumes: [{ url: null }],
    })
    await noFiles(student)
  })
})

describe('an export that is being built', () => {
  test('goes on after its worker was lost, and the late worker changes nothing', async () => {
    const student = await newStudent(project, [])
    const volume = await heldExport(project, student)
    await withDatabase(
      project,
      (sql) => sql`update private.export_volumes set due_at = now() where export_id = ${volume.export_id}`,
    )
    await cronTick()
    await exportIs(project, volume.export_id, 'ready')
    await expect(build(project, volume)).rejects.toThrow('Storage responded to an upload')
    expect(await finish(project, volume, { bytes: 1, leftOut: 0 })).toBe(false)
    const exported = await readExport(project, student, volume.export_id)
    expect((await downloaded(exported)).map(({ length }) => length)).toEqual(
      exported.volumes.map(({ bytes }) => bytes),
    )
  })

  test('fails after its last attempt, which does not count, and the person is told', async () => {
    const student = await newStudent(project, [])
    const volume = await heldExport(project, student)
    await build(project, volume)
    await withDatabase(
      project,
      (sql) => sql`
        update private.export_volumes set due_at = now(), attempts = (select max_attempts from private.export_settings)
        where export_id = ${volume.export_id}`,
    )
    await cronTick()
    expect(await readExport(project, student, volume.export_id)).toMatchObject({
      status: 'failed',
      error_code: 'worker_lost',
    })
    await noFiles(student)
    const mails = await withDatabase(
      project,
      (sql) => sql`select subject from private.outbox where user_id = ${student.id}`,
    )
    expect(mails).toMatchObject([{ subject: 'Your data could not be prepared' }])
    await requestExport(project, student)
  })

  test.each([
    [
      'cancelled',
      (student: Student, id: string) => call(project, student.token, 'DELETE', `api/privacy/exports/${id}`),
    ],
    [
      'erased with the account',
      (student: Student) => serviceClient(project).auth.admin.deleteUser(student.id),
    ],
  ])('leaves no file when it is %s, before its upload or after it', async (_, end) => {
    for (const uploaded of [false, true]) {
      const student = await newStudent(project, [])
      const volume = await heldExport(project, student)
      if (uploaded) await build(project, volume)
      await end(student, volume.export_id)
      if (!uploaded) await expect(build(project, volume)).rejects.toThrow()
      expect(await finish(project, volume, { bytes: 1, leftOut: 0 })).toBe(false)
      await noFiles(student)
    }
  })

  test('leaves out an original that was removed meanwhile, and says so', async () => {
    const student = await newStudent(project, [])
    const volume = await heldExport(project, student)
    const objects = [
      { bucket: 'university-files', name: `${HOME}/students/${student.id}/gone.txt`, bytes: 1, type: null },
    ]
    expect(await build(project, { ...volume, content: 'media', objects })).toMatchObject({ leftOut: 1 })
  })
})

test('nothing but a volume that is being built gets into the bucket, not even with the secret key', async () => {
  const student = await newStudent(project, [])
  const file = new Blob(['x'], { type: 'application/zip' })
  expect((await bucket().upload(`${student.id}/other`, file)).error).not.toBeNull()
  expect(
    (await student.client.storage.from('exports').upload(`${student.id}/other`, file)).error,
  ).not.toBeNull()
})

/** The path that the link in the email leads to. */
async function linkOf({ id }: Student): Promise<string> {
  const [mail] = await withDatabase(
    project,
    (sql) => sql`select body from private.outbox where user_id = ${id} and purpose = 'export'`,
  )
  return /api\/privacy\/download\?token=[0-9a-f]{64}/.exec(mail?.body)?.[0] ?? ''
}

/** The state of a person's only export within a transaction that nobody else sees. */
async function statusInside(tx: TransactionSql, { id }: Student): Promise<string> {
  const [row] = await tx`select private.read_exports(${id}) ->> 'status' as status`
  return row?.status
}

async function hashOfLink({ id }: Student): Promise<string> {
  const [row] = await withDatabase(
    project,
    (sql) => sql`select token_hash from private.exports where user_id = ${id} and token_hash is not null`,
  )
  return row?.token_hash
}

async function expectNoFile({ storage }: Student['client'], name: string, folder: string): Promise<void> {
  const files = storage.from('exports')
  expect((await files.download(name)).error).not.toBeNull()
  expect((await files.createSignedUrl(name, 60)).error).not.toBeNull()
  expect((await files.list(folder)).data ?? []).toEqual([])
  expect((await files.remove([name])).data ?? []).toEqual([])
}
