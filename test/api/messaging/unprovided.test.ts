import { afterAll, beforeAll, expect, test } from 'vitest'
import { inState, write } from '../../../harness/factories/outbox.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { closedAddress } from '../../../harness/stack/provider.ts'

let project: ConfiguredStack

/** A stack whose emails go to an address where nothing listens, and whose text messages go nowhere. */
beforeAll(async () => {
  project = await startConfiguredStack({
    RESEND_API_KEY: 're_invented',
    RESEND_BASE_URL: await closedAddress(),
    EMAIL_FROM: 'Wellbeing <wellbeing@example.edu>',
    INBOX_URL: '',
    TWILIO_ACCOUNT_SID: '',
  })
  await withDatabase(
    project,
    (sql) => sql`update private.messaging_settings set retry_backoff = '50 milliseconds', max_attempts = 2`,
  )
})

afterAll(() => project.stop())

test(
  'messages without a provider are tried, then dead letters, and the log says once what is missing',
  localOnly('starts a stack without providers'),
  async () => {
    const ids = await write(
      project,
      Array.from({ length: 5 }, (_, i) => ({ channel: 'sms', recipient: `+1202555010${i}` })),
    )
    for (const id of ids) {
      expect(await inState(project, id, 'dead')).toMatchObject({
        attempts: 2,
        provider: null,
        error_code: 'no_provider',
      })
    }
    expect(project.logged.filter((line) => line.includes('"event":"no_provider"'))).toEqual([
      expect.stringContaining('"channel":"sms"'),
    ])
  },
)

test(
  'messages to a provider that cannot be reached are tried again, then dead letters',
  localOnly('starts a stack without providers'),
  async () => {
    const [id = ''] = await write(project, [{ channel: 'email', recipient: 'desk@northfield.example.edu' }])
    expect(await inState(project, id, 'dead')).toMatchObject({
      attempts: 2,
      provider: 'resend',
      error_code: 'unreachable',
    })
  },
)
