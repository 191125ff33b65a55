import { describe, expect, inject, test } from 'vitest'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import { audioData } from '../../../harness/factories/session-summaries.ts'
import { analyzed, newSessionId, post } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const CRISIS = 'I want to kill myself and I do not know who else to tell. I have thought about it all week.'

/** The reviews about a session, and the messages that tell of them. */
async function followUps(student: Student, session: string) {
  return withDatabase(project, async (sql) => ({
    reviews: await sql`
      select source, risk_level, status from public.clinical_reviews
      where user_id = ${student.id} and source_id = ${session}`,
    messages: await sql`
      select channel, purpose, recipient, body from private.outbox where user_id = ${student.id}`,
  }))
}

/** Hears what the session's channel says, from when it is joined. */
async function hear(student: Student, session: string) {
  const heard: { event: string; payload: Record<string, unknown> }[] = []
  const channel = student.client.channel(`assessment:${session}`, { config: { private: true } })
  for (const event of ['analysis_complete', 'score_calculated', 'error']) {
    channel.on('broadcast', { event }, ({ payload }) => heard.push({ event, payload }))
  }
  await subscribed(channel)
  return heard
}

describe('words of a student in crisis', () => {
  test('open one review with its message after one call, and no second one after another', async () => {
    const student = await newStudent(project, ['text'])
    const session = await newSessionId(student)
    for (let calls = 1; calls <= 2; calls++) {
      const { status, body } = await post(project, student, 'analyze-text', {
        sessionId: session,
        conversationText: CRISIS,
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        analysis: { risk_indicators: ['words about ending one’s life'] },
        crisis_resources: expect.arrayContaining([expect.objectContaining({ phone: '911' })]),
      })
      const { reviews, messages } = await followUps(student, session)
      expect(reviews).toEqual([{ source: 'session', risk_level: 'high', status: 'open' }])
      expect(messages).toHaveLength(1)
      expect(messages[0]).toMatchObject({ channel: 'email', purpose: 'clinical_review' })
      expect(messages[0]?.recipient).toContain('@')
      expect(messages[0]?.body).not.toContain(student.email)
    }
  })

  test('keep the score’s risk high, whatever else was good', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const session = await newSessionId(student)
    const glad = audioData({ emotional_tone: 'positive', mood_score_1_10: 10 })
    await post(project, student, 'analyze-audio', { sessionId: session, audioData: glad })
    await post(project, student, 'analyze-text', { sessionId: session, conversationText: CRISIS })
    const { fusion_score } = await analyzed(project, student, 'calculate-wellbeing-score', session)
    expect(fusion_score).toMatchObject({
      risk_assessment: {
        level: 'high',
        recommendations: [expect.stringContaining('reach out now'), expect.any(String)],
      },
    })
    const { reviews, messages } = await followUps(student, session)
    expect({ reviews: reviews.length, messages: messages.length }).toEqual({ reviews: 1, messages: 1 })
  })

  test('open the review also where they are too few for a score', async () => {
    const student = await newStudent(project, ['text'])
    const session = await newSessionId(student)
    await post(project, student, 'analyze-text', { sessionId: session, conversationText: 'I am suicidal.' })
    const { status, body } = await post(project, student, 'calculate-wellbeing-score', { sessionId: session })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'analyses_incomplete',
        details: { crisis_resources: expect.arrayContaining([expect.objectContaining({ phone: '911' })]) },
      },
    })
    expect((await followUps(student, session)).reviews).toHaveLength(1)
  })

  test('a calm session opens none', async () => {
    const student = await newStudent(project, ['text'])
    const session = await newSessionId(student)
    await analyzed(project, student, 'analyze-text', session)
    await analyzed(project, student, 'calculate-wellbeing-score', session)
    expect(await followUps(student, session)).toEqual({ reviews: [], messages: [] })
  })
})

describe('the session’s channel', () => {
  test('tells of each analysis and of the score, in order', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const session = await newSessionId(student)
    const heard = await hear(student, session)
    await analyzed(project, student, 'analyze-audio', session)
    await analyzed(project, student, 'analyze-text', session)
    const { fusion_score } = await analyzed(project, student, 'calculate-wellbeing-score', session)
    await expect.poll(() => heard.length).toBe(3)
    const score = fusion_score as { final_score: number }
    expect(heard).toEqual([
      {
        event: 'analysis_complete',
        payload: expect.objectContaining({ session_id: session, analysis_type: 'audio' }),
      },
      {
        event: 'analysis_complete',
        payload: expect.objectContaining({ session_id: session, analysis_type: 'text' }),
      },
      {
        event: 'score_calculated',
        payload: expect.objectContaining({ session_id: session, score: score.final_score }),
      },
    ])
    await student.client.removeAllChannels()
  })

  test('reports a failure on the channel before it responds', async () => {
    const student = await newStudent(project, ['audio'])
    const session = await newSessionId(student)
    const heard = await hear(student, session)
    const { body } = await post(project, student, 'analyze-text', {
      sessionId: session,
      conversationText: 'Hello there.',
    })
    await post(project, student, 'calculate-wellbeing-score', { sessionId: session })
    await expect.poll(() => heard.length).toBe(2)
    expect(heard[0]).toEqual({
      event: 'error',
      payload: expect.objectContaining({ session_id: session, analysis_type: 'text', error: body.error }),
    })
    expect(heard[1]?.payload).not.toHaveProperty('analysis_type')
    await student.client.removeAllChannels()
  })
})
