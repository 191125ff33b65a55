import type { WellbeingClient } from '@student-wellbeing/client'
import type { TestService } from '@student-wellbeing/client/testing'
import { afterAll, expect, test } from 'vitest'
import { runnableModules } from '../../../harness/documentation.ts'

type Service = { client: WellbeingClient }

/** What is called here of what the modules of docs/app-developers.md export. */
type Page = {
  'double.ts': { testDevice(): Promise<{ double: TestService; service: Service }> }
  'check-in.ts': {
    checkIn(
      service: Service,
      media: object,
      show: (where: { step: string }) => void,
    ): Promise<{ score: number | null; message?: string; reasons: object[]; help: object[] }>
  }
}

const page = runnableModules('app-developers.md')
afterAll(() => page.remove())
const load = <Name extends keyof Page>(name: Name) => page.load(name) as Promise<Page[Name]>

test('with a service in memory, an app tests what it shows of a check-in that could not be scored', async () => {
  const { double, service } = await (await load('double.ts')).testDevice()
  double.failCheckIn('silent')
  const { checkIn } = await load('check-in.ts')
  const audio = new Blob([new Uint8Array(2000)], { type: 'audio/webm;codecs=opus' })
  const outcome = await checkIn(service, { audio }, () => {})
  expect(outcome).toMatchObject({ score: null, message: expect.stringMatching(/./) })
  expect(outcome.reasons).toMatchObject([{ modality: 'audio', reason: 'silent' }])
  expect(outcome.help.length).toBeGreaterThan(0)
  expect(double.requests).toContain('POST /functions/v1/checkins/start')
  await service.client.close()
})
