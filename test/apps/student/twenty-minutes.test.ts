import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newStudent } from '../../../harness/factories/students.ts'
import { ROOT } from '../../../scripts/root.ts'
import { sharedChromium } from '../../browser/chromium.ts'
import { ffmpeg, hasDevices, withoutDevices } from '../devices.ts'
import { openTab, servePage } from '../page-with-client.ts'
import { checkInsOf } from './app.ts'

const project = inject('project')
/** A little less than the service takes, as of a recorder that stops by itself. */
const SECONDS = 1195

describe.skipIf(!hasDevices)(`twenty minutes of speech${withoutDevices}`, () => {
  let served: Awaited<ReturnType<typeof servePage>>
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'speech-'))
    const file = join(folder, 'speech.webm')
    const spoken = join(ROOT, 'corpora/speech/neutral.m4a')
    // As a browser's recorder makes it; nobody talks to a microphone for so long in a test.
    const codec = ['-ac', '1', '-c:a', 'libopus', '-b:a', '32k']
    ffmpeg('-stream_loop', '-1', '-i', spoken, '-t', String(SECONDS), ...codec, file)
    served = await servePage({ speech: readFileSync(file) })
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => served?.close())

  test('are sent by a browser and scored, as 20 seconds are', async () => {
    const student = await newStudent(project, ['audio'])
    const context = await (await sharedChromium()).newContext()
    const tab = await openTab(context, served.url, project)
    await tab.signIn(student)
    await tab.begin({ wav: 'speech', audioType: 'audio/webm;codecs=opus' })
    await vi.waitFor(
      async () => expect(await tab.list()).toMatchObject([{ step: 'complete', problem: null }]),
      { timeout: 240_000, interval: 500 },
    )
    expect(await checkInsOf(project, student)).toEqual([{ status: 'complete', audio: 1, images: 0 }])
    await context.close()
  })
})
