import { createClient } from '@supabase/supabase-js'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import type { CheckInStep, QueuedCheckIn } from '../../client/src/check-in/types.ts'
import {
  createWellbeingClient,
  type Device,
  memoryDevice,
  type WellbeingClient,
} from '../../client/src/index.ts'
import { faces, speech, transcriptOf } from '../../harness/factories/check-ins.ts'
import { newStudent, type Student } from '../../harness/factories/students.ts'
import { wavFile } from '../../harness/media/containers.ts'
import { type Line, startLine } from '../../harness/stack/breakable-connection.ts'
import { withDatabase } from '../../harness/stack/project.ts'

const project = inject('project')
const PATIENCE = { timeout: 120_000, interval: 50 }

/** Speech of about so many seconds, 32 kB each: one recording said again and again. */
function longSpeech(seconds: number): Blob {
  const samples = speech('short.wav').bytes.subarray(44)
  const sound = new Uint8Array(seconds * 32_000)
  for (let at = 0; at < sound.length; at += samples.length)
    sound.set(samples.subarray(0, sound.length - at), at)
  return new Blob([new Uint8Array(wavFile({ rateHz: 16_000, sound }))], { type: 'audio/wav' })
}

const blobOf = ({ bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }) =>
  new Blob([bytes], { type })

/** The client of a student whose device reaches the service over a line that can break. */
async function newDevice(student: Student, device: Device = memoryDevice()) {
  const line = await startLine(project.apiUrl)
  const supabase = createClient(line.apiUrl, project.publishableKey, { auth: { persistSession: false } })
  const { error } = await supabase.auth.signInWithPassword({
    email: student.email,
    password: 'invented-password-1',
  })
  if (error) throw error
  const client = createWellbeingClient(supabase, { device })
  onTestFinished(async () => {
    await client.close()
    await line.close()
  })
  return { supabase, client, line }
}

/** What became of a student's check-ins. */
function checkInsOf({ id }: Student) {
  return withDatabase(
    project,
    (sql) => sql<{ status: string; media: string[] }[]>`
      select c.status,
        array(select substring(m.path from '[^/]+$') from private.check_in_media m where m.check_in_id = c.id order by 1) as media
      from checkin.check_ins c where c.user_id = ${id} order by c.created_at`,
  )
}

/** Waits until the device shows a check-in that is as wanted. */
function until(
  { queue }: WellbeingClient,
  wanted: (checkIn: QueuedCheckIn) => boolean,
): Promise<QueuedCheckIn> {
  return vi.waitFor(async () => {
    const found = (await queue.list()).find(wanted)
    if (!found) throw new Error(`It is ${JSON.stringify(await queue.list())}`)
    return found
  }, PATIENCE)
}

test('a check-in is sent with its progress, and scored', async () => {
  const student = await newStudent(project)
  const { client } = await newDevice(student)
  const shares: number[] = []
  const ended = await client.checkIn(
    {
      audio: longSpeech(30),
      images: (await faces()).map(blobOf),
      transcript: transcriptOf('positive'),
      mood: 7,
      durationS: 30,
    },
    { onProgress: ({ step, progress }) => step === 'uploading' && shares.push(progress) },
  )
  expect(ended).toMatchObject({ status: 'complete', result: { score: expect.any(Number) } })
  expect(shares.at(-1)).toBe(1)
  expect(shares).toEqual([...shares].sort((one, other) => one - other))
  const components = ended.result?.components
    .filter(({ score }) => score !== null)
    .map(({ modality }) => modality)
  expect(components).toEqual(['audio', 'visual', 'text', 'self_report'])
})

describe('a network that is cut', () => {
  const POINTS: [step: CheckInStep, share: number][] = [
    ['starting', 0],
    ['uploading', 0],
    ['uploading', 0.3],
    ['submitting', 0],
    ['analysing', 0],
  ]
  test.each(POINTS)(
    'while it is %s, from %d on, and comes back loses and doubles nothing',
    async (step, share) => {
      const student = await newStudent(project, ['audio', 'text'])
      const { client, line } = await newDevice(student)
      let cut = false
      const ended = client.checkIn(
        { audio: longSpeech(60), transcript: transcriptOf('positive') },
        {
          onProgress(checkIn) {
            if (cut || checkIn.step !== step || checkIn.progress < share) return
            cut = true
            line.cut()
          },
        },
      )
      await until(client, (checkIn) => cut && (step === 'analysing' || checkIn.problem?.code === 'offline'))
      line.mend()
      await client.queue.resume()
      expect(await ended).toMatchObject({ status: 'complete' })
      expect(await checkInsOf(student)).toEqual([{ status: 'complete', media: ['audio'] }])
    },
  )
})

/** A device with a network that an app is killed on: its tab does nothing any more. */
async function killed(client: WellbeingClient, line: Line): Promise<void> {
  line.cut()
  await client.close()
}

test('an app that is killed while it uploads goes on where it was, also with a resumable upload', async () => {
  const student = await newStudent(project, ['audio'])
  const device = memoryDevice()
  const first = await newDevice(student, device)
  const audio = longSpeech(9 * 60)
  const lost = first.client.checkIn({ audio })
  lost.catch(() => {})
  const seen = await until(first.client, ({ step, progress }) => step === 'uploading' && progress > 0.4)
  await killed(first.client, first.line)
  await expect(lost).rejects.toMatchObject({ code: 'aborted' })

  const { client } = await newDevice(student, device)
  const shares: number[] = []
  client.queue.subscribe(([checkIn]) => {
    if (checkIn?.step === 'uploading') shares.push(checkIn.progress)
  })
  await client.queue.resume()
  const { ended } = await until(client, ({ step }) => step === 'complete')
  expect(ended).toMatchObject({ status: 'complete', id: seen.checkInId })
  expect(shares.find((share) => share > 0)).toBeGreaterThan(0.3)
  expect(await checkInsOf(student)).toEqual([{ status: 'complete', media: ['audio'] }])
  expect(await device.files.list()).toEqual([])
})

test('a phone and a laptop with the same open check-in each get their own recording scored', async () => {
  const student = await newStudent(project, ['audio', 'camera', 'text'])
  const phone = await newDevice(student)
  const laptop = await newDevice(student)
  const onPhone = phone.client.checkIn({
    audio: blobOf(speech('short.webm')),
    images: (await faces()).map(blobOf),
  })
  onPhone.catch(() => {})
  await until(phone.client, ({ step }) => step === 'uploading')
  phone.line.cut()
  await until(phone.client, ({ problem }) => problem?.code === 'offline')
  const onLaptop = await laptop.client.checkIn({ audio: blobOf(speech('short.ogg')) })
  phone.line.mend()
  await phone.client.queue.resume()
  expect((await onPhone).id).not.toBe(onLaptop.id)
  const faceNames = Array.from({ length: 8 }, (_, index) => `image-0${index + 1}`)
  expect(await checkInsOf(student)).toEqual([
    { status: 'complete', media: ['audio'] },
    { status: 'complete', media: ['audio', ...faceNames] },
  ])
})

test('what the service refuses is said, and the rest is sent if the person wants', async () => {
  const student = await newStudent(project, ['audio', 'text'])
  const { client } = await newDevice(student)
  const audio = new Blob(['no recording'], { type: 'audio/webm' })
  await expect(client.checkIn({ audio, transcript: transcriptOf('positive') })).rejects.toMatchObject({
    code: 'audio_unreadable',
    words: { title: expect.stringMatching(/recording/) },
  })
  const caf = new Blob(['caff'], { type: 'audio/x-caf' })
  await expect(client.checkIn({ audio: caf, transcript: 'Fine.' }, { type: 'weekly' })).rejects.toMatchObject(
    {
      code: 'upload_rejected',
      details: { file: 'audio' },
    },
  )
  const [shown] = await client.queue.list()
  await client.queue.retry(shown?.id ?? '')
  const { ended } = await until(client, ({ id, step }) => id === shown?.id && step === 'complete')
  expect(ended?.result?.components).toContainEqual(
    expect.objectContaining({ modality: 'audio', reason: 'not_provided' }),
  )
})

test('a token that is no longer taken is renewed; a session that has ended waits for its person', async () => {
  const student = await newStudent(project, ['text'])
  const { client, supabase, line } = await newDevice(student)
  line.cut()
  const waiting = client.checkIn({ transcript: transcriptOf('positive') })
  waiting.catch(() => {})
  await until(client, ({ problem }) => problem?.code === 'offline')
  line.mend()
  await supabase.auth.signOut()
  await expect(waiting).rejects.toMatchObject({ code: 'session_ended' })
  expect(await client.queue.list()).toEqual([])
  const other = await newStudent(project, ['text'])
  await supabase.auth.signInWithPassword({ email: other.email, password: 'invented-password-1' })
  await client.queue.resume()
  expect(await client.queue.list()).toEqual([])
  await supabase.auth.signOut()
  await supabase.auth.signInWithPassword({ email: student.email, password: 'invented-password-1' })
  await until(client, ({ step }) => step === 'complete')
  expect(await checkInsOf(other)).toEqual([])
  expect(await checkInsOf(student)).toHaveLength(1)
})
