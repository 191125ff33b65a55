import { expect, inject, test } from 'vitest'
import { smokeTest } from '../../../scripts/smoke/smoke-test.ts'
import { withDatabase } from '../../stack/project.ts'
import { openTestStage } from './open-test-stage.ts'

/** Far above the minute of the command: a machine with other work takes many times as long. */
const LIMIT_S = 240

test('an invented person signs in, hears the live channel, gets a score, and leaves nothing', async () => {
  const stage = await openTestStage()
  const seen = await smokeTest(stage, LIMIT_S, () => {})
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
  const failing = smokeTest({ ...stage, keys }, LIMIT_S, (line) => {
    account = /^account (.*)$/.exec(line)?.[1] ?? account
  })
  await expect(failing).rejects.toThrow()
  const left = await withDatabase(
    inject('project'),
    (sql) => sql`select from auth.users where id = ${account}`,
  )
  await stage.close()
  expect(account).not.toBe('')
  expect(left).toHaveLength(0)
})
