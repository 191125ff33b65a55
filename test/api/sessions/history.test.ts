import { expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newSessionId } from '../../../harness/factories/sessions.ts'
import { newStudent } from '../../../harness/factories/students.ts'

const project = inject('project')

test('a session of lasting hopelessness is of medium risk, and in the student’s history', async () => {
  const student = await newStudent(project, ['text'])
  const sessionId = await newSessionId(student)
  const ask = (path: string, body: object) => call(project, student.token, 'POST', path, body)
  const conversationText =
    'I feel hopeless nearly every day. I get up late, the lectures go past me, and I sit in my room in the evening.'
  await ask('analyze-text', { sessionId, conversationText })
  const scored = await ask('calculate-wellbeing-score', { sessionId })
  expect(scored.body).toMatchObject({
    fusion_score: {
      component_scores: { text_score: expect.any(Number) },
      risk_assessment: {
        level: 'medium',
        indicators: expect.arrayContaining(['words of despair that last']),
      },
    },
  })

  const read = (query: string) => call(project, student.token, 'GET', `api/history?${query}`)
  const { body } = await read('days=31&limit=1')
  expect(body).toMatchObject({
    entries: [
      { source: 'session', id: sessionId, risk_level: 'moderate', baseline: null, calibrated: false },
    ],
    next: expect.stringContaining(sessionId),
    crisis_resources: expect.arrayContaining([expect.objectContaining({ name: 'Emergency services' })]),
  })
  expect((await read(new URLSearchParams({ before: String(body.next) }).toString())).body).toMatchObject({
    entries: [],
    next: null,
  })
  for (const wrong of ['days=0', 'days=367', 'before=yesterday', 'limit=201']) {
    expect((await read(wrong)).status).toBe(400)
  }
})
