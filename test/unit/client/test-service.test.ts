import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { createWellbeingClient } from '../../../client/src/index.ts'
import { createTestService, type TestServiceOptions } from '../../../client/src/testing/index.ts'

/** The package's own client, signed in to a service in memory. */
async function signedIn(options: TestServiceOptions = {}) {
  const service = createTestService(options)
  const supabase = createClient(service.url, service.key, {
    ...service.options,
    auth: { persistSession: false, autoRefreshToken: false },
  })
  const { error } = await supabase.auth.signInWithPassword(service.student)
  if (error) throw error
  return { service, supabase, wellbeing: createWellbeingClient(supabase) }
}

const audio = new Blob([new Uint8Array(2000)], { type: 'audio/webm;codecs=opus' })
const images = Array.from(
  { length: 8 },
  (_, at) => new Blob([new Uint8Array(100 + at)], { type: 'image/jpeg' }),
)

test('a check-in ends with what the test says', async () => {
  const { service, wellbeing } = await signedIn()
  service.endCheckIn({ score: 48, score_interval: [40, 56], risk_level: 'mild' })
  const ended = await wellbeing.checkIn({ audio, images, mood: 4 })
  expect(ended).toMatchObject({ status: 'complete', result: { score: 48, risk_level: 'mild' } })
  expect(await wellbeing.history()).toMatchObject([{ source: 'check_in', score: 48 }])
  await wellbeing.close()
})
