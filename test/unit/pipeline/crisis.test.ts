import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../../functions/_shared/database.ts'
import { runCrisisJob, sentenceReader } from '../../../functions/_shared/pipeline/crisis.ts'
import { type Job, NonRetryableError } from '../../../functions/_shared/pipeline/job.ts'
import { AssetMissing } from '../../../functions/_shared/platform/storage.ts'
import { CRISIS_ASSET, type SentenceReading } from '../../../functions/_shared/text/crisis/encoder.ts'
import type { AskForCrisis } from '../../../functions/_shared/textmodel/language-model.ts'

const ORDINARY = 'I walked to the lake with a friend.'
const OUTRIGHT = 'I want to kill myself.'
const JOB: Job = {
  ...{ id: 'j', check_in_id: 'c', unread_id: null, kind: 'crisis', ordinal: 0, input: {}, attempts: 1 },
  ...{ trace_id: null, lease_ms: 20_000 },
}
const READING: SentenceReading = {
  probability: 0.876,
  passages: [
    { from: 2, to: 8, probability: 0.876 },
    { from: 20, to: 34, probability: 0.5 },
  ],
  share: 1,
  windows: 10,
}

afterEach(() => vi.restoreAllMocks())

describe('a crisis job', () => {
  test('stores what rules and sentences say together, and where, but no words', async () => {
    const findings = await job({ transcript: ORDINARY, reading: READING })
    expect(findings).toMatchObject({
      crisis_level: 'high',
      probability: 0.88,
      passages: [
        [2, 8],
        [20, 34],
      ],
    })
    expect(JSON.stringify(findings)).not.toContain('lake')
  })

  test('keeps no passages where there is no crisis language', async () => {
    const findings = await job({ transcript: ORDINARY, reading: { ...READING, probability: 0.012 } })
    expect(findings).toEqual({ crisis_level: 'none', crisis_rule: null, probability: 0.01, passages: [] })
  })

  test('lets what the rules found stand where nothing reads the sentences', async () => {
    expect(await job({ transcript: OUTRIGHT, reading: null })).toMatchObject({
      crisis_level: 'high',
      crisis_rule: expect.stringMatching(/^intent\./),
      probability: null,
      passages: null,
    })
  })

  test('does not lower what is said outright', async () => {
    const findings = await job({ transcript: OUTRIGHT, reading: { ...READING, probability: 0 } })
    expect(findings).toMatchObject({ crisis_level: 'high' })
  })

  test('asks a language model about what both found, but not of words whose call has asked, nor when attempts run out', async () => {
    const doubtful = { transcript: ORDINARY, reading: { ...READING, probability: 0.5 } }
    const ask: AskForCrisis = vi.fn(async () => '{"now": ["intent"], "earlier": []}')
    expect(await job({ ...doubtful, ask })).toMatchObject({
      crisis_level: 'high',
      crisis_rule: 'language-model',
    })
    expect(ask).toHaveBeenCalledTimes(1)
    expect(await job({ ...doubtful, ask, job: { ...JOB, attempts: 4 } })).toMatchObject({
      crisis_level: 'moderate',
    })
    const unread = { ...JOB, check_in_id: null, unread_id: 'u' }
    expect(await job({ ...doubtful, ask, job: unread })).toMatchObject({ crisis_level: 'moderate' })
    expect(ask).toHaveBeenCalledTimes(1)
  })

  test('fails for good without consent, and without words', async () => {
    await expect(job({ transcript: ORDINARY, reading: null, consents: false })).rejects.toEqual(
      new NonRetryableError('no_consent'),
    )
    await expect(job({ transcript: null, reading: null })).rejects.toEqual(
      new NonRetryableError('not_provided'),
    )
  })
})

describe('without its weights the encoder', () => {
  test('reads nothing and warns', async () => {
    const logged = vi.spyOn(console, 'log').mockReturnValue()
    const missing = () => Promise.reject(new AssetMissing(CRISIS_ASSET))
    expect(await sentenceReader(missing)(ORDINARY)).toBeNull()
    expect(String(logged.mock.calls[0])).toContain('"event":"crisis_model_unavailable"')
    expect(String(logged.mock.calls[0])).not.toContain('lake')
  })

  test.each<[string, () => Promise<Uint8Array>]>([
    [
      'that Storage does not give',
      () => Promise.reject(new Error('Storage responded with 503, meaning 503')),
    ],
    ['that are damaged', () => Promise.resolve(new Uint8Array(9))],
  ])(
    '%s at the moment is asked again by the next attempts, and the last decides without',
    async (_, load) => {
      vi.spyOn(console, 'log').mockReturnValue()
      const read = sentenceReader(load)
      const attempt = (attempts: number) => job({ transcript: OUTRIGHT, read, job: { ...JOB, attempts } })
      await expect(attempt(1)).rejects.toThrow()
      await expect(attempt(3)).rejects.toThrow()
      expect(await attempt(4)).toMatchObject({ crisis_level: 'high', probability: null })
    },
  )
})

function job(given: {
  transcript: string | null
  reading?: SentenceReading | null
  read?: (text: string) => Promise<SentenceReading | null>
  consents?: boolean
  ask?: AskForCrisis
  job?: Job
}) {
  const respond = (text: string) =>
    text.includes('has_consent') ? [{ holds: given.consents ?? true }] : [{ transcript: given.transcript }]
  const database = (texts: TemplateStringsArray) => Promise.resolve(respond(texts.join('?')))
  return runCrisisJob({
    database: database as unknown as Database,
    read: given.read ?? (async () => given.reading ?? null),
    ask: given.ask,
  })(given.job ?? JOB)
}
