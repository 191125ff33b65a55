import { beforeAll, describe, expect, inject, test } from 'vitest'
import { ALGORITHM_VERSION } from '../../../functions/_shared/scoring/scheme.ts'
import { call } from '../../../harness/client/call.ts'
import { audioData, visualSummary } from '../../../harness/factories/session-summaries.ts'
import {
  analyzed,
  imageBase64,
  newSessionId,
  post,
  requests,
  SESSION_FUNCTIONS,
} from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const RESOURCES = expect.arrayContaining([{ name: 'Emergency services', phone: '911', website: null }])

const unit = expect.toSatisfy((value) => typeof value === 'number' && value >= 0 && value <= 1)
const hundred = expect.toSatisfy((value) => typeof value === 'number' && value >= 0 && value <= 100)
const someMs = expect.toSatisfy((value) => typeof value === 'number' && value > 0 && value < 60_000)
const someText = expect.toSatisfy(
  (value) => Array.isArray(value) && value.every((v) => typeof v === 'string'),
)

let ada: Student
let session: string

beforeAll(async () => {
  ada = await newStudent(project)
  session = await newSessionId(ada)
})

describe('/analyze-audio', () => {
  test('returns exactly its fields', async () => {
    expect(await analyzed(project, ada, 'analyze-audio', session)).toEqual({
      sessionId: session,
      analysis: {
        vocal_stress_indicators: unit,
        speech_pattern_analysis: { pace_variation: unit, pause_frequency: unit, volume_consistency: unit },
        emotional_markers: ['even tone'],
        confidence_score: unit,
      },
      processing_time: someMs,
      crisis_resources: RESOURCES,
    })
  })

  test('reads what it is given', async () => {
    const stressed = audioData({ voice_quality: 'strained', emotional_tone: 'negative', speech_rate: 1.8 })
    const { body } = await post(project, ada, 'analyze-audio', { sessionId: session, audioData: stressed })
    expect(body).toMatchObject({
      analysis: {
        vocal_stress_indicators: expect.toSatisfy((value) => value > 0.9),
        emotional_markers: ['negative tone', 'strained voice', 'hurried speech'],
      },
    })
  })
})

describe('/analyze-visual', () => {
  test('returns exactly its fields', async () => {
    const response = await analyzed(project, ada, 'analyze-visual', session)
    const degrees = expect.toSatisfy((value) => typeof value === 'number' && Math.abs(value) < 60)
    expect(response).toEqual({
      sessionId: session,
      image_analysis_results: {
        emotions: Array.from({ length: 7 }, () => ({ emotion: expect.any(String), confidence: hundred })),
        face_details: {
          quality: { brightness: hundred, sharpness: hundred },
          pose: { roll: degrees, yaw: degrees, pitch: degrees },
        },
        quality_assessment: { overall_quality: unit, lighting_quality: unit, face_visibility: unit },
      },
      analysis_summary: {
        primary_emotion: expect.stringMatching(/^[a-z]+$/),
        emotional_stability: unit,
        engagement_score: unit,
      },
      crisis_resources: RESOURCES,
    })
  })

  test('takes a data address, and bytes that are no face without an error', async () => {
    const student = await newStudent(project, ['camera'])
    const id = await newSessionId(student)
    const grey = await greyPng()
    const { status, body } = await post(project, student, 'analyze-visual', {
      sessionId: id,
      imageData: `data:image/png;base64,${grey}`,
      visualSummary: visualSummary(),
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      image_analysis_results: {
        emotions: [],
        face_details: { pose: { roll: null } },
        quality_assessment: { overall_quality: 0 },
      },
      analysis_summary: { primary_emotion: 'unknown' },
    })
  })

  test.each([
    ['bm8gaW1hZ2UgYXQgYWxs', 'image_unreadable'],
    ['%%%', 'invalid_parameters'],
    ['', 'image_empty'],
  ])('rejects the image %s', async (imageData, code) => {
    const student = await newStudent(project, ['camera'])
    const { status, body } = await post(project, student, 'analyze-visual', {
      sessionId: await newSessionId(student),
      imageData,
      visualSummary: visualSummary(),
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code })
  })

  test('rejects a body over 14 MB', async () => {
    const student = await newStudent(project, ['camera'])
    const body = { sessionId: crypto.randomUUID(), imageData: 'A'.repeat(14_000_000), visualSummary: {} }
    const response = await post(project, student, 'analyze-visual', body)
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'body_too_large', details: { max_bytes: 14_000_000 } },
    })
  })
})

describe('/analyze-text', () => {
  test('returns exactly its fields', async () => {
    expect(await analyzed(project, ada, 'analyze-text', session)).toEqual({
      sessionId: session,
      analysis: {
        sentiment_analysis: {
          overall_sentiment: expect.stringMatching(/^(positive|negative|neutral)$/),
          confidence: unit,
          emotional_indicators: someText,
        },
        linguistic_patterns: {
          complexity_score: unit,
          coherence_score: unit,
          emotional_language_usage: hundred,
        },
        key_themes: expect.arrayContaining(['studies', 'sleep']),
        risk_indicators: [],
        phq_indicators: { depression_markers: [], anxiety_markers: [], severity_indicators: [] },
      },
      crisis_resources: RESOURCES,
    })
  })

  test.each([
    ['nothing', undefined],
    ['no characters', ''],
    ['100,001 characters', 'a'.repeat(100_001)],
    ['a number', 7],
  ])('rejects %s', async (_, conversationText) => {
    const { status, body } = await post(project, ada, 'analyze-text', {
      sessionId: session,
      conversationText,
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_parameters' })
    expect(body.details).toMatchObject({ issues: [{ field: 'conversationText' }] })
  })

  test('takes 100,000 characters', async () => {
    const student = await newStudent(project, ['text'])
    const { status } = await post(project, student, 'analyze-text', {
      sessionId: await newSessionId(student),
      conversationText: 'I went to class today. '.repeat(4_347).padEnd(100_000, '.'),
    })
    expect(status).toBe(200)
  })
})

describe('/calculate-wellbeing-score', () => {
  test('returns exactly its fields', async () => {
    const student = await newStudent(project)
    const id = await newSessionId(student)
    for (const name of ['analyze-audio', 'analyze-visual', 'analyze-text'] as const) {
      await analyzed(project, student, name, id)
    }
    expect(await analyzed(project, student, 'calculate-wellbeing-score', id)).toEqual({
      sessionId: id,
      fusion_score: {
        final_score: expect.toSatisfy((value) => value >= 10 && value <= 90),
        confidence: unit,
        calibrated: false,
        score_interval: [hundred, hundred],
        component_scores: { audio_score: hundred, visual_score: hundred, text_score: hundred },
        risk_assessment: { level: 'low', indicators: someText, recommendations: someText },
      },
      metadata: {
        algorithm_version: expect.stringMatching(/^wb-/),
        processing_time: someMs,
        data_quality_score: unit,
      },
      crisis_resources: RESOURCES,
    })
  })

  test('is made of one analysis, though the student has agreed to more', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const id = await newSessionId(student)
    await analyzed(project, student, 'analyze-audio', id)
    const { fusion_score } = await analyzed(project, student, 'calculate-wellbeing-score', id)
    expect(fusion_score).toMatchObject({ component_scores: { audio_score: hundred, text_score: null } })
  })

  test('lists what can be analysed, of what the student has agreed to, when nothing was', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const id = await newSessionId(student)
    const { status, body } = await post(project, student, 'calculate-wellbeing-score', { sessionId: id })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'analyses_incomplete', details: { missing: ['audio', 'text'] } },
    })
  })

  test('leaves a modality without consent out', async () => {
    const student = await newStudent(project, ['text'])
    const id = await newSessionId(student)
    await analyzed(project, student, 'analyze-text', id)
    const { fusion_score } = await analyzed(project, student, 'calculate-wellbeing-score', id)
    expect(fusion_score).toMatchObject({
      component_scores: { audio_score: null, visual_score: null, text_score: hundred },
    })
  })

  test('says what is unusable when nothing can be scored', async () => {
    const student = await newStudent(project, ['text'])
    const id = await newSessionId(student)
    await post(project, student, 'analyze-text', { sessionId: id, conversationText: 'Hm.' })
    const { status, body } = await post(project, student, 'calculate-wellbeing-score', { sessionId: id })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'analyses_incomplete',
        details: {
          missing: [],
          unusable: [
            {
              modality: 'text',
              reason: 'too_short',
              title: 'There are too few words to analyse.',
              advice: 'Say or write a few sentences more.',
            },
          ],
        },
      },
    })
    const state = async () =>
      (await student.client.from('assessment_sessions').select('status').eq('id', id).single()).data?.status
    expect(await state()).toBe('failed')
    await analyzed(project, student, 'analyze-text', id)
    expect(await state()).toBe('processing')
  })

  test('is a matter of consent without any', async () => {
    const student = await newStudent(project, [])
    const response = await post(project, student, 'calculate-wellbeing-score', {
      sessionId: await newSessionId(student),
    })
    expect(response).toMatchObject({ status: 403, body: { code: 'consent_required' } })
  })

  test('has a trend once there is a baseline of three check-ins, and leaves the baseline as it is', async () => {
    const student = await newStudent(project, ['text'])
    const id = await newSessionId(student)
    await analyzed(project, student, 'analyze-text', id)
    for (const [count, isCompared] of [
      [2, false],
      [3, true],
    ] as const) {
      const state = {
        count,
        version: count,
        algorithm_version: ALGORITHM_VERSION,
        score: { mean: 15, spread: 5, count },
        features: {},
      }
      await withDatabase(
        project,
        (sql) => sql`
          insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
          values (${student.id}, ${count}, ${count}, 15, 5, ${JSON.stringify(state)}::text::jsonb)
          on conflict (user_id) do update
          set version = excluded.version, check_ins = excluded.check_ins, state = excluded.state`,
      )
      const { fusion_score } = await analyzed(project, student, 'calculate-wellbeing-score', id)
      expect(Object.hasOwn(fusion_score as object, 'trend_analysis')).toBe(isCompared)
      if (isCompared) {
        expect(fusion_score).toMatchObject({
          trend_analysis: {
            compared_to_baseline: expect.toSatisfy((value) => value > 5 && value < 75),
            trend_direction: 'improving',
            significance: expect.stringMatching(/^(medium|high)$/),
          },
        })
      }
      const [baseline] = await withDatabase(
        project,
        (sql) => sql`select version, state from checkin.user_baselines where user_id = ${student.id}`,
      )
      expect(baseline).toEqual({ version: count, state })
    }
  })
})

describe('every function', () => {
  test.each(SESSION_FUNCTIONS)('%s returns the same to functions.invoke', async (name) => {
    const { data, error, response } = await ada.client.functions.invoke(name, {
      body: await requests[name](session),
    })
    expect(error).toBeNull()
    expect(data).toMatchObject({ sessionId: session, crisis_resources: RESOURCES })
    expect(response?.headers.get('api-version')).toBe('2.0')
  })

  test.each(SESSION_FUNCTIONS)(
    '%s knows no session of another, nor one that does not exist',
    async (name) => {
      const ben = await newStudent(project)
      for (const id of [session, crypto.randomUUID()]) {
        const { status, body } = await post(project, ben, name, await requests[name](id))
        expect({ status, code: body.code }).toEqual({ status: 404, code: 'session_not_found' })
      }
    },
  )

  test.each(SESSION_FUNCTIONS)(
    '%s rejects an id that is none, a body that is no JSON, and GET',
    async (name) => {
      const student = await newStudent(project)
      const bad = await post(project, student, name, { ...(await requests[name]('x')), sessionId: 'latest' })
      expect(bad).toMatchObject({ status: 400, body: { code: 'invalid_parameters' } })
      const broken = await post(project, student, name, '{"sessionId":')
      expect(broken).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
      const got = await call(project, student.token, 'GET', name)
      expect(got).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
      const beyond = await call(project, student.token, 'POST', `${name}/more`, {})
      expect(beyond).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  test.each([
    ['analyze-audio', 'audio'],
    ['analyze-visual', 'camera'],
    ['analyze-text', 'text'],
  ] as const)('%s needs the consent %s, and stores nothing without it', async (name, kind) => {
    const others = (['audio', 'camera', 'text'] as const).filter((consent) => consent !== kind)
    const student = await newStudent(project, others)
    const id = await newSessionId(student)
    const { status, body } = await post(project, student, name, await requests[name](id))
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'consent_required', details: { kind } },
    })
    const { data } = await student.client.from('session_analyses').select('modality')
    expect(data).toEqual([])
  })

  test.each(['completed', 'failed'] as const)('takes a session that is %s', async (status) => {
    const student = await newStudent(project, ['audio'])
    const id = await newSessionId(student)
    await student.client.from('assessment_sessions').update({ status }).eq('id', id)
    await analyzed(project, student, 'analyze-audio', id)
    await analyzed(project, student, 'calculate-wellbeing-score', id)
  })
})

test('an error reaches functions.invoke with its code', async () => {
  const { data, error } = await ada.client.functions.invoke('calculate-wellbeing-score', {
    body: { sessionId: crypto.randomUUID() },
  })
  expect(data).toBeNull()
  expect(await error.context.json()).toMatchObject({
    code: 'session_not_found',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
})

describe('what is stored', () => {
  test('is one row a modality and one score, replaced by the next call', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const id = await newSessionId(student)
    for (const mood of [9, 2]) {
      const summary = audioData({ mood_score_1_10: mood, emotional_tone: mood > 5 ? 'positive' : 'negative' })
      await post(project, student, 'analyze-audio', { sessionId: id, audioData: summary })
      await analyzed(project, student, 'analyze-text', id)
      await analyzed(project, student, 'calculate-wellbeing-score', id)
    }
    const analyses = await student.client.from('session_analyses').select('modality, analysis, quality')
    expect(analyses.data?.map(({ modality }) => modality).sort()).toEqual(['audio', 'text'])
    expect(analyses.data).toContainEqual(
      expect.objectContaining({
        analysis: expect.objectContaining({ emotional_markers: ['negative tone', 'low mood reported'] }),
      }),
    )
    const { data: scores } = await student.client.from('session_scores').select('*')
    expect(scores).toHaveLength(1)
    expect(scores?.[0]).toMatchObject({ session_id: id, user_id: student.id, risk_level: 'moderate' })
    expect(scores?.[0]?.fusion_score).toMatchObject({ final_score: Number(scores?.[0]?.final_score) })
  })

  test('is never the words', async () => {
    const student = await newStudent(project, ['text'])
    const id = await newSessionId(student)
    const conversationText = 'My zebrafinch aquamarine story goes on, and I feel tired of the exam every day.'
    await post(project, student, 'analyze-text', { sessionId: id, conversationText })
    const { data } = await student.client.from('session_analyses').select('*')
    expect(data).toHaveLength(1)
    expect(JSON.stringify(data)).not.toMatch(/zebrafinch|aquamarine/)
  })

  test('is read by nobody else, and written by nobody', async () => {
    const ben = await newStudent(project)
    for (const table of ['session_analyses', 'session_scores'] as const) {
      expect((await ben.client.from(table).select('*')).data).toEqual([])
      const { error } = await ada.client.from(table).delete().eq('session_id', session)
      expect(error?.code).toBe('42501')
    }
  })

  test('goes with the session', async () => {
    const student = await newStudent(project, ['audio'])
    const id = await newSessionId(student)
    await analyzed(project, student, 'analyze-audio', id)
    await student.client.from('assessment_sessions').delete().eq('id', id)
    expect((await student.client.from('session_analyses').select('*')).data).toEqual([])
    const response = await post(project, student, 'calculate-wellbeing-score', { sessionId: id })
    expect(response.body.code).toBe('session_not_found')
  })
})

test('an image that is sent with functions.invoke is analysed as with fetch', async () => {
  const { data } = await ada.client.functions.invoke('analyze-visual', {
    body: { sessionId: session, imageData: await imageBase64(), visualSummary: visualSummary() },
  })
  expect(data.image_analysis_results.face_details.quality.brightness).toBeGreaterThan(10)
})

/** A grey PNG of 64 by 64 pixels without any face. */
async function greyPng(): Promise<string> {
  const { encodePng } = await import('../../unit/visual/codecs.ts')
  const data = new Uint8ClampedArray(64 * 64 * 4).fill(120)
  return Buffer.from(await encodePng({ data, width: 64, height: 64 })).toString('base64')
}
