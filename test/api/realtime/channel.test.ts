import type postgres from 'postgres'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { eventsOf, type Heard, listen } from '../../../harness/factories/session-channel.ts'
import { newSession, storeAnalysis, storeScore } from '../../../harness/factories/sessions.ts'
import { newStudent, secondDevice } from '../../../harness/factories/students.ts'
import { type Client, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const SOON = { timeout: 20_000 }
const opened: Client[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.removeAllChannels()))
})

/** A student with a phone and a tablet, in a session that both follow. */
async function withTwoDevices(onMessage?: (message: Heard) => void) {
  const student = await newStudent(project)
  const tablet = await secondDevice(project, student)
  opened.push(student.client, tablet)
  const session = await newSession(student.client)
  const [phone, other] = await Promise.all([
    listen(student.client, session, onMessage),
    listen(tablet, session),
  ])
  return { student, session, phone, tablet: other, tabletClient: tablet }
}

/** A stranger who follows a session of their own, to see that nothing of another's comes. */
async function withStranger() {
  const student = await newStudent(project)
  opened.push(student.client)
  const session = await newSession(student.client)
  return { student, session, ...(await listen(student.client, session)) }
}

const inOneTransaction = (store: (sql: postgres.ISql) => Promise<void>) =>
  withDatabase(project, (sql) => sql.begin(store))

describe('the service’s events', () => {
  test('reach both devices of the student once, in order, with the specified fields', async () => {
    const { student, session, phone, tablet } = await withTwoDevices()
    const stranger = await withStranger()
    await withDatabase(project, async (sql) => {
      await storeAnalysis(sql, student, session, 'audio')
      await storeAnalysis(sql, student, session, 'visual')
      await storeAnalysis(sql, stranger.student, stranger.session, 'visual')
      await storeAnalysis(sql, student, session, 'text')
      await sql`
        select private.broadcast_session_error(
          ${session.id}, ${student.id}, ${sql.json({ error: 'Try again.', analysis_type: 'audio' })}
        )`
      await storeScore(sql, student, session, 61.25)
    })

    for (const { heard } of [phone, tablet]) {
      await expect
        .poll(() => eventsOf(heard), SOON)
        .toEqual(['audio', 'visual', 'text', 'error', 'score 61.25'])
      const id = expect.any(String)
      expect(heard.map(({ event, payload }) => ({ event, payload }))).toEqual([
        { event: 'analysis_complete', payload: { session_id: session.id, analysis_type: 'audio', id } },
        { event: 'analysis_complete', payload: { session_id: session.id, analysis_type: 'visual', id } },
        { event: 'analysis_complete', payload: { session_id: session.id, analysis_type: 'text', id } },
        {
          event: 'error',
          payload: { session_id: session.id, analysis_type: 'audio', error: 'Try again.', id },
        },
        { event: 'score_calculated', payload: { session_id: session.id, score: 61.25, id } },
      ])
      expect(heard.every(({ meta, payload }) => meta?.id === payload.id)).toBe(true)
    }
    await expect.poll(() => eventsOf(stranger.heard), SOON).toEqual(['visual'])
  })

  test('come when their row can be read, and one comes for each result that is stored', async () => {
    const rows: PromiseLike<unknown>[] = []
    const scene = await withTwoDevices(({ payload }) => {
      rows.push(
        scene.student.client
          .from('session_analyses')
          .select('analysis')
          .eq('session_id', scene.session.id)
          .eq('modality', String(payload.analysis_type) as 'audio')
          .single()
          .then(({ data, error }) => error ?? data.analysis),
      )
    })
    const { student, session, phone, tablet } = scene
    const modalities = ['audio', 'visual', 'text'] as const
    await withDatabase(project, async (sql) => {
      for (let round = 0; round < 30; round += 1) {
        await storeAnalysis(sql, student, session, modalities[round % 3] ?? 'audio', { round })
      }
    })
    for (const { heard } of [phone, tablet]) {
      await expect.poll(() => heard.length, SOON).toBe(30)
      expect(eventsOf(heard)).toEqual(Array.from({ length: 30 }, (_, round) => modalities[round % 3]))
    }
    const found = z.array(z.object({ round: z.number() })).parse(await Promise.all(rows))
    // A row may already be that of a later call, never that of an earlier one.
    expect(found.filter(({ round }, heardAs) => round < heardAs)).toEqual([])
    expect(found).toHaveLength(30)
  })

  test('of calls that run at once reach both devices in the same order', async () => {
    const { student, session, phone, tablet } = await withTwoDevices()
    await Promise.all(
      (['audio', 'visual', 'text'] as const).flatMap((modality) =>
        [0, 1].map((round) =>
          withDatabase(project, (sql) => storeAnalysis(sql, student, session, modality, { round })),
        ),
      ),
    )
    await expect.poll(() => phone.heard.length + tablet.heard.length, SOON).toBe(12)
    expect(eventsOf(phone.heard)).toEqual(eventsOf(tablet.heard))
    expect(eventsOf(phone.heard).toSorted()).toEqual(['audio', 'audio', 'text', 'text', 'visual', 'visual'])
  })

  test('do not come for what was rolled back', async () => {
    const { student, session, phone, tablet } = await withTwoDevices()
    const undone = inOneTransaction(async (sql) => {
      await storeAnalysis(sql, student, session, 'audio')
      await storeScore(sql, student, session, 99)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await withDatabase(project, (sql) => storeAnalysis(sql, student, session, 'text'))
    for (const { heard } of [phone, tablet]) await expect.poll(() => eventsOf(heard), SOON).toEqual(['text'])
  })

  test('do not come before their transaction has ended', async () => {
    const { student, session, phone } = await withTwoDevices()
    await inOneTransaction(async (sql) => {
      await storeScore(sql, student, session, 50)
      // Had the score been told of at once, it would have been heard before this.
      await withDatabase(
        project,
        (own) =>
          own`select private.broadcast_session_error(${session.id}, ${student.id}, '{"error": "Busy."}')`,
      )
      await expect.poll(() => phone.heard.length, SOON).toBeGreaterThan(0)
    })
    await expect.poll(() => eventsOf(phone.heard), SOON).toEqual(['error', 'score 50'])
  })

  test('do not come for a session that is not the student’s', async () => {
    const { student, session, phone } = await withTwoDevices()
    const stranger = await withStranger()
    await withDatabase(project, async (sql) => {
      await storeAnalysis(sql, stranger.student, session, 'audio')
      await storeScore(sql, stranger.student, session, 1)
      await storeAnalysis(sql, student, session, 'text')
    })
    await expect.poll(() => eventsOf(phone.heard), SOON).toEqual(['text'])
  })
})

describe('a device’s events', () => {
  test('reach the student’s other device as they were sent, and nobody else', async () => {
    const { session, phone, tablet } = await withTwoDevices()
    const stranger = await withStranger()
    const sent = [
      { event: 'status_update', payload: { session_id: session.id, status: 'processing' } },
      { event: 'progress_update', payload: { session_id: session.id, progress: 0.4 } },
      { event: 'completion', payload: { session_id: session.id, result: { answers: [1, 2] } } },
    ]
    for (const { event, payload } of sent) {
      expect(await phone.channel.send({ type: 'broadcast', event, payload })).toBe('ok')
    }
    await expect
      .poll(() => tablet.heard.map(({ event, payload }) => ({ event, payload })), SOON)
      .toEqual(sent)
    expect(await tablet.channel.send({ type: 'broadcast', event: 'completion', payload: {} })).toBe('ok')
    await expect.poll(() => phone.heard.map(({ event }) => event), SOON).toEqual(['completion'])
    expect(stranger.heard).toEqual([])
  })
})
