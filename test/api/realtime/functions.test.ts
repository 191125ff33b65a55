import { FunctionsHttpError } from '@supabase/supabase-js'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { faces, transcriptOf as spoken } from '../../../harness/factories/check-ins.ts'
import { eventsOf, type Heard, listen } from '../../../harness/factories/session-channel.ts'
import { newSession, type Session } from '../../../harness/factories/sessions.ts'
import { newStudent, secondDevice } from '../../../harness/factories/students.ts'
import type { Client } from '../../../harness/stack/project.ts'

const project = inject('project')
const SOON = { timeout: 20_000 }
const opened: Client[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.removeAllChannels()))
})

/** Calls a function as the app does; returns its response, or its error body. */
async function invoke(client: Client, name: string, body: object): Promise<Record<string, unknown>> {
  const { data, error } = await client.functions.invoke(name, { body })
  if (error instanceof FunctionsHttpError) return error.context.json()
  if (error) throw error
  return data
}

const audio = ({ id }: Session) => ({
  sessionId: id,
  audioData: {
    conversation_duration: 150,
    speech_rate: 1,
    voice_quality: 'clear',
    emotional_tone: 'neutral',
    mood_score_1_10: 6,
    transcript_length: 1200,
  },
})

async function visual({ id }: Session) {
  const [image] = await faces()
  return {
    sessionId: id,
    imageData: Buffer.from(image?.bytes ?? []).toString('base64'),
    visualSummary: {
      samples_captured: 8,
      face_detection_rate: 1,
      avg_brightness: 0.5,
      quality_score: 0.8,
      engagement_level: 'moderate',
    },
  }
}

const text = ({ id }: Session) => ({ sessionId: id, conversationText: spoken('neutral') })

describe('a session that the app runs with the functions', () => {
  test('is followed on both devices, result by result, each readable when it is announced', async () => {
    const student = await newStudent(project)
    const tablet = await secondDevice(project, student)
    opened.push(student.client, tablet)
    const session = await newSession(student.client)
    const rows: PromiseLike<unknown>[] = []
    const read = ({ event, payload }: Heard) => {
      const row =
        event === 'score_calculated'
          ? tablet.from('session_scores').select('final_score').eq('session_id', session.id).single()
          : tablet
              .from('session_analyses')
              .select('modality')
              .eq('session_id', session.id)
              .eq('modality', String(payload.analysis_type) as 'audio')
              .single()
      rows.push(row.then(({ data, error }) => error ?? data))
    }
    const devices = [await listen(student.client, session), await listen(tablet, session, read)]

    for (const [name, body] of [
      ['analyze-audio', audio(session)],
      ['analyze-visual', await visual(session)],
      ['analyze-text', text(session)],
    ] as const) {
      expect(await invoke(student.client, name, body)).toMatchObject({ sessionId: session.id })
    }
    const scored = await invoke(student.client, 'calculate-wellbeing-score', { sessionId: session.id })
    const score = z.object({ final_score: z.number() }).parse(scored.fusion_score).final_score

    for (const { heard } of devices) {
      await expect.poll(() => eventsOf(heard), SOON).toEqual(['audio', 'visual', 'text', `score ${score}`])
    }
    expect(await Promise.all(rows)).toEqual([
      { modality: 'audio' },
      { modality: 'visual' },
      { modality: 'text' },
      { final_score: score },
    ])
  })

  test('hears of a call that failed, with what it was about', async () => {
    const student = await newStudent(project, ['text'])
    opened.push(student.client)
    const session = await newSession(student.client)
    const { heard } = await listen(student.client, session)
    const early = await invoke(student.client, 'calculate-wellbeing-score', { sessionId: session.id })
    expect(early).toMatchObject({ code: 'analyses_incomplete' })
    const rejected = await invoke(student.client, 'analyze-audio', audio(session))
    expect(rejected).toMatchObject({ code: 'consent_required' })
    await expect
      .poll(() => heard.map(({ event, payload }) => ({ event, ...payload })), SOON)
      .toEqual([
        { event: 'error', session_id: session.id, error: early.error, id: expect.any(String) },
        {
          event: 'error',
          session_id: session.id,
          analysis_type: 'audio',
          error: rejected.error,
          id: expect.any(String),
        },
      ])
  })

  test('of somebody else is neither analysed nor announced', async () => {
    const student = await newStudent(project)
    const stranger = await newStudent(project)
    opened.push(student.client)
    const session = await newSession(student.client)
    const { heard } = await listen(student.client, session)
    for (const [name, body] of [
      ['analyze-audio', audio(session)],
      ['analyze-text', text(session)],
      ['calculate-wellbeing-score', { sessionId: session.id }],
    ] as const) {
      expect(await invoke(stranger.client, name, body)).toMatchObject({ code: 'session_not_found' })
    }
    await invoke(student.client, 'analyze-text', text(session))
    await expect.poll(() => eventsOf(heard), SOON).toEqual(['text'])
  })
})
