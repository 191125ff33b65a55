import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyzeTranscript } from '../../../functions/_shared/textmodel/analyze-transcript.ts'
import { languageModel } from '../../../functions/_shared/textmodel/language-model.ts'
import type { ModelFailure } from '../../../functions/_shared/textmodel/model-output.ts'
import { askingOf, FALLBACK, ORDINARY_WEEK, settingsOf } from './asking.ts'
import {
  answers,
  type Behaviour,
  breaksOff,
  drips,
  type FakeProvider,
  fails,
  floods,
  GOOD,
  hangs,
  redirects,
  resets,
  says,
  startProvider,
} from './provider.ts'

let provider: FakeProvider

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.stop())

function analyzed(transcript = ORDINARY_WEEK, timeoutMs?: number) {
  return analyzeTranscript(askingOf(provider, timeoutMs), { transcript })
}

const GOOD_RESULT = { ...GOOD, mood_score: undefined }

describe('a transient failure is retried once', () => {
  const passing: [string, Behaviour, number?][] = [
    ['408', fails(408)],
    ['409', fails(409)],
    ['429', fails(429)],
    ['429 with a short Retry-After', fails(429, { 'retry-after': '0' })],
    ['429 with retry-after-ms', fails(429, { 'retry-after-ms': '5' })],
    ['a throttle', fails(429, {}, { type: 'requests', code: 'rate_limit_exceeded' })],
    ['500', fails(500)],
    ['502', fails(502)],
    ['503 with a Retry-After in the past', fails(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })],
    ['504', fails(504)],
    ['a connection that is reset', resets],
    ['a response that breaks off', breaksOff],
    ['no response in time', hangs, 300],
    ['a response that drips', drips, 300],
    ['a redirect', redirects('/v1/elsewhere')],
  ]

  test.each(passing)('%s, then a response', async (_, failure, timeoutMs) => {
    provider.behave(failure, answers(GOOD))
    const { provider: who, result } = await analyzed(ORDINARY_WEEK, timeoutMs)
    expect(who).toBe('language-model')
    expect(result).toEqual(GOOD_RESULT)
    expect(provider.received).toHaveLength(2)
  })

  test.each(passing)('%s twice gives the fallback', async (_, failure, timeoutMs) => {
    provider.behave(failure)
    const { provider: who, result } = await analyzed(ORDINARY_WEEK, timeoutMs)
    expect(who).toBe('fallback')
    expect(result).toEqual(FALLBACK)
    expect(provider.received).toHaveLength(2)
  })
})

describe('a lasting failure gives the fallback at once', () => {
  const message = { role: 'assistant', content: null, refusal: null }
  const lasting: [string, Behaviour, string][] = [
    ['400', fails(400), 'http_error'],
    ['401', fails(401), 'provider_refused'],
    ['402', fails(402), 'provider_refused'],
    ['403', fails(403), 'provider_refused'],
    ['404', fails(404), 'provider_refused'],
    ...[
      'insufficient_quota',
      'credit_balance_exhausted',
      'project_spend_limit_exceeded',
      'billing_hard_limit_reached',
      'account_deactivated',
    ].map((code): [string, Behaviour, string] => [
      `429 with ${code}`,
      fails(429, { 'retry-after': '0' }, { code }),
      'provider_refused',
    ]),
    ['429 of that type', fails(429, {}, { type: 'insufficient_quota' }), 'provider_refused'],
    ['400 with a code of bills', fails(400, {}, { code: 'billing_hard_limit_reached' }), 'provider_refused'],
    ['a Retry-After that is too long', fails(429, { 'retry-after': '60' }), 'http_error'],
    ['a response without end', floods, 'response_too_large'],
    [
      'a refusal by the model',
      answers('', { message: { ...message, refusal: 'I cannot help with that.' } }),
      'refused',
    ],
    ['a filtered response', answers(GOOD, { finish_reason: 'content_filter' }), 'filtered'],
    ['an empty content', answers(''), 'empty'],
    ['a content that is null', answers('', { message }), 'empty'],
    ['a blank content', answers('  \n '), 'empty'],
    ['no choices', says({ choices: [] }), 'no_response'],
    ['a choice without a message', says({ choices: [{ index: 0 }] }), 'no_response'],
    ['an empty object', says({}), 'no_response'],
    ['a body of null', says('null'), 'no_response'],
    ['an empty body', says(''), 'no_response'],
    ['a page of HTML', says('<html>Busy</html>', 'text/html'), 'no_response'],
    ['a body that is not JSON', says('{"choices": ['), 'no_response'],
    ['prose instead of JSON', answers('The student seems fine.'), 'invalid_json'],
    ['half of the JSON', answers(JSON.stringify(GOOD).slice(0, 90)), 'invalid_json'],
    ['JSON with NaN', answers('{"text_score": NaN, "risk_level": "none"}'), 'invalid_json'],
    ['a list', answers([70, 'fine']), 'unusable'],
    ['a number', answers('70'), 'unusable'],
    ['a string', answers('"fine"'), 'unusable'],
    ['null', answers('null'), 'unusable'],
    ['an object of other fields', answers({ score: 70, mood: 'good' }), 'unusable'],
    ['an object of no fields', answers({}), 'unusable'],
    [
      'a response cut off',
      answers(JSON.stringify(GOOD).slice(0, 90), { finish_reason: 'length' }),
      'truncated',
    ],
  ]

  test.each(lasting)('%s', async (_, failure, code) => {
    provider.behave(failure)
    const { provider: who, result, failure: why } = await analyzed()
    expect(who).toBe('fallback')
    expect(result).toEqual(FALLBACK)
    expect(why?.code).toBe(code)
    expect(provider.received).toHaveLength(1)
  })
})

describe('the summary of the fallback', () => {
  const summary = 'You spoke about "exams" and your friends.'
  const withSummary = JSON.stringify(GOOD).replace(GOOD.conversation_summary, summary.replaceAll('"', '\\"'))
  const cutAfterSummary = withSummary.slice(0, withSummary.indexOf('"drivers_negative"'))

  test('is the complete one of a truncated response', async () => {
    provider.behave(answers(cutAfterSummary, { finish_reason: 'length' }))
    expect((await analyzed()).result).toEqual({ ...FALLBACK, conversation_summary: summary })
  })

  test('is the one in an invalid response', async () => {
    provider.behave(answers(`${cutAfterSummary} "text_score": }`))
    expect((await analyzed()).result).toEqual({ ...FALLBACK, conversation_summary: summary })
  })

  test.each([
    ['half a summary', `{"conversation_summary": "You spoke about`],
    ['an empty summary', '{"conversation_summary": "", "text_score": }'],
    ['a summary that is no text', '{"conversation_summary": 7, "text_score": }'],
    ['a summary about somebody', '{"conversation_summary": "The student is fine.", "text_score": }'],
  ])('is the fixed text instead of %s', async (_, content) => {
    provider.behave(answers(content, { finish_reason: 'length' }))
    expect((await analyzed()).result).toEqual(FALLBACK)
  })
})

test('JSON with something around it is read', async () => {
  provider.behave(answers(`\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``))
  expect((await analyzed()).result).toEqual(GOOD_RESULT)
})

test('a content in parts is read', async () => {
  const content = [{ type: 'text', text: JSON.stringify(GOOD) }]
  provider.behave(answers('', { message: { role: 'assistant', content, refusal: null } }))
  expect((await analyzed()).result).toEqual(GOOD_RESULT)
})

describe('a high risk in an answer that cannot be used', () => {
  const high = { ...GOOD, risk_level: 'High', conversation_summary: 'You had a fine week.' }
  test.each([
    ['is cut off', answers(JSON.stringify(high).slice(0, -30), { finish_reason: 'length' })],
    ['is filtered', answers(JSON.stringify(high).slice(0, -30), { finish_reason: 'content_filter' })],
    ['is no JSON', answers('**Risk level:** HIGH.\nThe student needs help.')],
    ['has other fields', answers({ level: 'high' })],
  ])('counts, with the words of the service: one that %s', async (_, behaviour) => {
    provider.behave(behaviour)
    const { provider: who, result } = await analyzed()
    expect(who).toBe('fallback')
    expect(result).toEqual({
      ...FALLBACK,
      risk_level: 'high',
      conversation_summary: expect.stringContaining('Please reach out now'),
    })
  })
})

test('each failure is reported once, with what the provider says of it', async () => {
  const failures: ModelFailure[] = []
  const ask = languageModel(settingsOf(provider), async (failure) => void failures.push(failure))
  provider.behave(fails(429, {}, { code: 'insufficient_quota' }))
  await analyzeTranscript(ask, { transcript: ORDINARY_WEEK })
  provider.behave(fails(503))
  await analyzeTranscript(ask, { transcript: ORDINARY_WEEK })
  provider.behave(answers(GOOD))
  await analyzeTranscript(ask, { transcript: ORDINARY_WEEK })
  expect(failures.map(({ code, status, providerCode }) => ({ code, status, providerCode }))).toEqual([
    { code: 'provider_refused', status: 429, providerCode: 'insufficient_quota' },
    { code: 'http_error', status: 503, providerCode: undefined },
  ])
})

describe('crisis language when the model fails', () => {
  const CRISIS = 'I want to kill myself and I have the pills here.'

  test.each([
    ['supplies nothing', fails(500)],
    [
      'supplies a summary of its own',
      answers('{"conversation_summary": "You had a fine week.", "text_score": }', {
        finish_reason: 'length',
      }),
    ],
  ])('raises the risk and says where to turn, where the model %s', async (_, failure) => {
    provider.behave(failure)
    const { result } = await analyzed(CRISIS)
    const withoutModel = await analyzeTranscript(undefined, { transcript: CRISIS })
    expect(withoutModel.result.conversation_summary).toContain('Please reach out now')
    expect(result).toEqual({
      ...FALLBACK,
      risk_level: 'high',
      conversation_summary: withoutModel.result.conversation_summary,
    })
  })
})
