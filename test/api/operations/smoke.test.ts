import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { ROOT } from '../../../scripts/root.ts'
import { smokeTest } from '../../../scripts/smoke/smoke-test.ts'
import { openTestStage, testStageEnvironment } from './open-test-stage.ts'

/** Far above the minute of the command: a machine with other work takes many times as long. */
const LIMIT_S = 240

test('an invented person signs in, hears the live channel, gets a score, and leaves nothing', async () => {
  const stage = await openTestStage()
  const seen = await smokeTest(stage, { limitS: LIMIT_S, report: () => {} })
  await stage.close()
  expect(seen.score).toBeGreaterThanOrEqual(0)
  expect(seen.score).toBeLessThanOrEqual(100)
  expect(seen.progress.length).toBeGreaterThan(0)
  const before = seen.before.map(({ relation }) => relation)
  expect(before).toEqual(
    expect.arrayContaining(['checkin.check_ins', 'profiles', 'auth.sessions', 'storage.objects']),
  )
  expect(seen.after).toEqual([])
  const mails = await withDatabase(
    inject('project'),
    (sql) => sql`select from private.outbox where strpos(coalesce(recipient, ''), 'smoke-') > 0`,
  )
  expect(mails).toHaveLength(0)
})

test('a person whose check-in fails is erased all the same, and the failure is what is said', async () => {
  const stage = await openTestStage()
  let account = ''
  // A key of nobody's: the person is made, and cannot sign in.
  const keys = async () => ({ ...(await stage.keys()), publishable: 'sb_publishable_of_nobody' })
  const report = (line: string) => {
    account = /^account (\S+)$/.exec(line)?.[1] ?? account
  }
  const failing = smokeTest({ ...stage, keys }, { limitS: LIMIT_S, report })
  await expect(failing).rejects.toThrow()
  const left = await withDatabase(
    inject('project'),
    (sql) => sql`select from auth.users where id = ${account}`,
  )
  await stage.close()
  expect(account).not.toBe('')
  expect(left).toHaveLength(0)
})

test('a smoke test that cannot erase the person says first what had failed', async () => {
  const stage = await openTestStage()
  const keys = async () => ({ ...(await stage.keys()), publishable: 'sb_publishable_of_nobody' })
  let account = ''
  const report = (line: string) => {
    account = /^account (\S+)$/.exec(line)?.[1] ?? account
  }
  const query: typeof stage.query = (row, statement, parameters) => {
    if (statement.includes('delete from auth.users')) throw new Error('The database is away')
    return stage.query(row, statement, parameters)
  }
  await expect(smokeTest({ ...stage, keys, query }, { limitS: LIMIT_S, report })).rejects.toThrow(
    /^Invalid API key.*The database is away/s,
  )
  await stage.close()
  await withDatabase(inject('project'), (sql) => sql`delete from auth.users where id = ${account}`)
})

test('who is left of a smoke test that was killed is erased by the next, and nobody else', async () => {
  const { auth } = serviceClient(inject('project'))
  const personOf = async (email: string) => {
    const { data, error } = await auth.admin.createUser({ email, email_confirm: true })
    if (error) throw error
    return data.user.id
  }
  const left = await personOf(`smoke-${randomUUID()}@example.com`)
  const running = await personOf(`smoke-${randomUUID()}@example.com`)
  const student = await personOf(`smoke-${randomUUID()}@example.edu`)
  const people = await withDatabase(inject('project'), async (sql) => {
    await sql`update auth.users set created_at = now() - interval '2 hours' where id in (${left}, ${student})`
    const stage = await openTestStage()
    // That nobody can sign in with the key does not matter to what is left.
    const keys = async () => ({ ...(await stage.keys()), publishable: 'sb_publishable_of_nobody' })
    await expect(smokeTest({ ...stage, keys }, { limitS: LIMIT_S, report: () => {} })).rejects.toThrow()
    await stage.close()
    const rows = await sql<
      { id: string }[]
    >`select id from auth.users where id in (${left}, ${running}, ${student})`
    await sql`delete from auth.users where id in (${running}, ${student})`
    return rows.map(({ id }) => id).sort()
  })
  expect(people).toEqual([running, student].sort())
})

test('interrupted, it erases the person before it ends', async () => {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'scripts', 'smoke.ts'), '--stage', 'local', '--limit', `${LIMIT_S}`],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, ...testStageEnvironment() } },
  )
  let output = ''
  const hear = (text: string) => {
    if (!output.includes('signed in') && `${output}${text}`.includes('signed in')) child.kill('SIGTERM')
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(output).toContain('erased\n')
  expect(output).toContain('Interrupted by SIGTERM')
  expect(code).toBe(1)
  const account = /^account (\S+)$/m.exec(output)?.[1] ?? ''
  const left = await withDatabase(
    inject('project'),
    (sql) => sql`select from auth.users where id = ${account}`,
  )
  expect(left).toHaveLength(0)
})
