import { describe, expect, inject, test } from 'vitest'
import type { CheckInResult, Progress } from '../../../demo/mobile-client.ts'
import { call } from '../../../harness/client/call.ts'
import {
  ended,
  faces,
  part,
  scored,
  speech,
  start,
  startWith,
  transcriptOf,
} from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

describe('a check-in', () => {
  test('of voice, face and words ends with a score that rests on all three', async () => {
    const student = await newStudent(project)
    const { id } = await startWith(project, student, { audio: speech('neutral.m4a'), images: await faces() })
    const result = await scored(project, student, id, { transcript: transcriptOf('neutral'), mood_score: 6 })

    expect(result.score).toBeGreaterThan(10)
    expect(result.score).toBeLessThan(90)
    expect(result.uncertainty).toBeGreaterThan(0)
    expect(result.uncertainty).toBeLessThan(1)
    expect(result).toMatchObject({ direction_of_change: 'same', risk_level: 'none' })
    expect(result.crisis_resources.map((resource) => resource.name)).toContain('Northfield crisis line')
    for (const modality of ['audio', 'visual', 'text', 'self_report']) {
      expect(part(result, modality), modality).toMatchObject({ score: expect.any(Number) })
      expect(part(result, modality).weight, modality).toBeGreaterThan(0)
    }
    expect(result.baseline).toMatchObject({ check_ins: 0, compared: null, reason: 'too_few_check_ins' })
    const [low = 100, high = 0] = result.score_interval ?? []
    expect(low).toBeLessThan(result.score)
    expect(high).toBeGreaterThan(result.score)
    expect(result.calibrated).toBe(false)
  })

  test('stores every feature where its student can read it', async () => {
    const student = await newStudent(project)
    const { id } = await startWith(project, student, { audio: speech('neutral.m4a'), images: await faces() })
    await scored(project, student, id, { transcript: transcriptOf('neutral') })

    for (const [table, count] of [
      ['audio_analysis', 23],
      ['visual_analysis', 18],
      ['text_analysis', 16],
    ] as const) {
      const { data, error } = await student.client.schema('checkin').from(table).select('*').single()
      expect(error).toBeNull()
      const { check_in_id, user_id, created_at, quality, quality_reason, ...rest } = data ?? {}
      expect(check_in_id).toBe(id)
      const measured = Object.values(rest).filter((value) => typeof value === 'number')
      expect(measured.length, table).toBeGreaterThanOrEqual(count - 2)
    }
    const baseline = await student.client
      .schema('checkin')
      .from('user_baselines')
      .select('check_ins')
      .single()
    expect(baseline.data).toEqual({ check_ins: 1 })
  })

  test('is not started once the media of the earlier ones take up the student’s space', async () => {
    const student = await newStudent(project)
    await withDatabase(
      project,
      (sql) => sql`
        insert into storage.objects (bucket_id, name, metadata)
        select 'check-in-media', ${`${student.id}/`} || earlier || '/audio', '{"size": 50000000}'
        from generate_series(1, 220) as earlier`,
    )
    const { status, body } = await call(project, student.token, 'POST', 'checkins/start', { type: 'daily' })
    expect([status, body.code]).toEqual([403, 'storage_full'])
  })

  test('is told live, step by step, on the student’s own channel', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const { id } = await startWith(project, student, { audio: speech('short.ogg') })
    const progress: number[] = []
    const statuses: string[] = []
    const announced = Promise.withResolvers<Record<string, unknown>>()
    const channel = student.client.channel(`check-in:${id}`, { config: { private: true } })
    channel
      .on('broadcast', { event: 'progress' }, ({ payload }) => progress.push((payload as Progress).progress))
      .on('broadcast', { event: 'status' }, ({ payload }) => statuses.push(payload.status))
      .on('broadcast', { event: 'result' }, ({ payload }) => announced.resolve(payload))
    await new Promise<void>((resolve, reject) => {
      channel.subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : reject(error)))
    })
    await call(project, student.token, 'POST', `checkins/${id}/complete`, {
      transcript: transcriptOf('short'),
    })
    const result = await announced.promise

    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).toBe(1)
    expect(progress.length).toBeGreaterThanOrEqual(4)
    expect(statuses).toEqual(['processing', 'complete'])
    const { body } = await call(project, student.token, 'GET', `checkins/${id}`)
    // The channel adds the id of its message.
    expect(result).toMatchObject(body)
    await student.client.removeChannel(channel)
  })

  test('of words alone says what is missing and is less certain than one of all three', async () => {
    const student = await newStudent(project)
    const all = await startWith(project, student, { audio: speech('neutral.m4a'), images: await faces() })
    const full = await scored(project, student, all.id, { transcript: transcriptOf('neutral') })

    const other = await newStudent(project, ['text'])
    const { id, uploads } = await start(project, other)
    expect(uploads).toEqual({ audio: null, images: [] })
    const result = await scored(project, other, id, { transcript: transcriptOf('neutral') })
    expect(part(result, 'audio')).toMatchObject({ score: null, weight: 0, reason: 'no_consent' })
    expect(part(result, 'visual')).toMatchObject({ score: null, weight: 0, reason: 'no_consent' })
    expect(result.uncertainty).toBeGreaterThan(full.uncertainty)
  })

  test('of voice alone does not invent words, nor a face for a camera that was refused', async () => {
    const student = await newStudent(project)
    const { id } = await startWith(project, student, { audio: speech('short.wav') })
    const result = await scored(project, student, id)
    expect(part(result, 'text')).toMatchObject({ score: null, weight: 0, reason: 'not_provided' })
    expect(part(result, 'visual')).toMatchObject({ score: null, weight: 0, reason: 'not_provided' })
    const stored = await student.client.schema('checkin').from('text_analysis').select('check_in_id')
    expect(stored.data).toEqual([])
  })

  test('with words of crisis has a high risk, whatever the voice and the mood', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const { id } = await startWith(project, student, { audio: speech('positive.webm') })
    const result = await scored(project, student, id, {
      transcript:
        'My classes are great and I love my friends. But I want to kill myself tonight, I have the pills.',
      mood_score: 10,
    })
    expect(result.risk_level).toBe('high')
  })

  test('is compared with the student’s own baseline once there is one', async () => {
    const student = await newStudent(project, ['text'])
    const scores: number[] = []
    let last: CheckInResult | undefined
    for (const name of ['positive', 'positive', 'positive', 'struggling']) {
      const { id } = await start(project, student)
      last = await scored(project, student, id, { transcript: transcriptOf(name) })
      scores.push(last.score)
    }
    expect(scores[3]).toBeLessThan(scores[0] ?? 0)
    expect(last?.baseline.check_ins).toBe(3)
    expect(last?.baseline.compared).toBeLessThan(0)
    const { data } = await student.client
      .schema('checkin')
      .from('user_baselines')
      .select('check_ins, version')
      .single()
    expect(data).toEqual({ check_ins: 4, version: 4 })
  })

  test('too short to be scored says what to do all the same when its transcript has crisis language', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await start(project, student)
    await call(project, student.token, 'POST', `checkins/${id}/complete`, { transcript: 'I want to die.' })
    const failed = await ended(project, student, id)
    expect(failed.status).toBe('failed')
    expect(failed.error?.message).toMatch(/talk to someone now/)
    expect(failed.crisis_resources?.length).toBeGreaterThan(0)
    const { data } = await student.client.schema('checkin').from('check_ins').select('risk_level').single()
    expect(data).toEqual({ risk_level: 'high' })

    await call(project, student.token, 'POST', `checkins/${id}/complete`, {
      transcript: transcriptOf('positive'),
    })
    const mended = await ended(project, student, id)
    expect(mended.result?.risk_level, 'handing it in again does not make it forgotten').toBe('high')
  })

  test('is scored alike whatever risk was found before, which is no crisis language', async () => {
    const scoredWith = async (earlier: string | null) => {
      const student = await newStudent(project, ['text'])
      const { id } = await start(project, student)
      if (earlier !== null) {
        await call(project, student.token, 'POST', 'api/textmodel/analyze-text', {
          transcript: earlier,
          context: { checkinId: id },
        })
      }
      return scored(project, student, id, { transcript: transcriptOf('positive') })
    }
    const plain = await scoredWith(null)
    const known = await scoredWith(
      'I had lectures and then I went to the library with a friend. My mood is a two.',
    )
    expect(known.score).toBe(plain.score)
    expect(known.components).toEqual(plain.components)
    expect(known.risk_level).toBe('moderate')
    expect(known.summary).not.toContain('saying something so hard')
  })

  test('is found by its id in any spelling', async () => {
    const student = await newStudent(project, ['audio'])
    const { id } = await startWith(project, student, { audio: speech('short.m4a') })
    const result = await scored(project, student, id.toUpperCase())
    expect(part(result, 'audio').score).not.toBeNull()
  })

  test('leaves no job behind, and completing it again changes nothing', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await start(project, student)
    await scored(project, student, id, { transcript: transcriptOf('neutral') })
    const left = await withDatabase(
      project,
      (sql) => sql`
      select id from private.analysis_jobs where check_in_id = ${id}`,
    )
    expect(left).toEqual([])
    const again = await call(project, student.token, 'POST', `checkins/${id}/complete`, {})
    expect(again.body).toEqual({ id, status: 'complete' })
    expect((await ended(project, student, id)).progress).toBe(1)
  })

  test('takes no words when the consent to them was withdrawn', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await start(project, student)
    await student.client
      .from('consents')
      .update({ withdrawn_at: new Date().toISOString() })
      .eq('kind', 'text')
    const response = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
      transcript: 'I am fine.',
    })
    expect(response).toMatchObject({
      status: 403,
      body: { code: 'consent_required', details: { kind: 'text' } },
    })
  })

  test('expires when it is not submitted within a day', async () => {
    const student = await newStudent(project, ['text'])
    const { id } = await start(project, student)
    await withDatabase(
      project,
      (sql) => sql`
      update checkin.check_ins set created_at = now() - interval '25 hours', expires_at = now() - interval '1 hour'
      where id = ${id}`,
    )
    const late = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
      transcript: 'I am late.',
    })
    expect(late).toMatchObject({ status: 400, body: { code: 'check_in_expired' } })
    await withDatabase(project, (sql) => sql`select private.expire_check_ins()`)
    const { body } = await call(project, student.token, 'GET', `checkins/${id}`)
    expect(body).toMatchObject({ status: 'expired' })
  })
})
