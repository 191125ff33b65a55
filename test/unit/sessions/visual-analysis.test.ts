import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import type { VisualSummary } from '../../../functions/_shared/sessions/app-summaries.ts'
import { decodeBase64 } from '../../../functions/_shared/sessions/base64.ts'
import {
  analyzeSessionImage,
  analyzeVisualSummary,
} from '../../../functions/_shared/sessions/visual-analysis.ts'
import { EMOTIONS, type ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import { analyzeVisual } from '../../../functions/analyze-visual/routes.ts'
import { visualSummary } from '../../../harness/factories/session-summaries.ts'
import { encodeJpeg, encodePng, faceModels } from '../visual/codecs.ts'
import { portrait } from '../visual/photographs.ts'
import { crop } from '../visual/pixel-edits.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const smiling = encodeJpeg(await portrait('smiling broadly'))
const analyzed = async (imageData: string) =>
  analyzeSessionImage(decodeBase64(imageData) ?? new Uint8Array(), async () => faceModels)
const errorOf = async (imageData: string) =>
  analyzed(imageData).then(
    () => null,
    (error: unknown) => (error instanceof ServiceError ? error : null),
  )

const smile = await analyzed(base64(await smiling))
const nobody: ImageOutcome = { faces: 0, face: null, quality: 0, reason: 'no_face' }

const anySummary: fc.Arbitrary<VisualSummary> = fc.record({
  samples_captured: fc.nat(10_000),
  face_detection_rate: fc.double({ min: 0, max: 1, noNaN: true }),
  avg_brightness: fc.double({ min: 0, max: 1, noNaN: true }),
  quality_score: fc.double({ min: 0, max: 1, noNaN: true }),
  engagement_level: fc.constantFrom('high', 'moderate', 'low'),
})

describe('a portrait', () => {
  const { analysis, quality, quality_reason } = analyzeVisualSummary(smile, visualSummary())
  const { emotions, face_details, quality_assessment } = analysis.image_analysis_results

  test('has every class of expression with a confidence in percent, together 100, the likeliest first', () => {
    expect(emotions.map(({ emotion }) => emotion).sort()).toEqual([...EMOTIONS].sort())
    expect(emotions.reduce((sum, { confidence }) => sum + confidence, 0)).toBeCloseTo(100, 0)
    expect(emotions.map(({ confidence }) => confidence)).toEqual(
      emotions.map(({ confidence }) => confidence).sort((a, b) => b - a),
    )
  })

  test('has as primary emotion the likeliest', () => {
    expect(analysis.analysis_summary.primary_emotion).toBe(emotions[0]?.emotion)
    expect(analysis.analysis_summary.primary_emotion).toBe('happy')
  })

  test('has light and sharpness in percent and the pose in degrees', () => {
    const { brightness, sharpness } = face_details.quality
    expect(brightness).toBeGreaterThan(15)
    expect(brightness).toBeLessThan(95)
    expect(sharpness).toBeGreaterThan(20)
    expect(sharpness).toBeLessThanOrEqual(100)
    for (const angle of Object.values(face_details.pose)) expect(Math.abs(angle ?? 999)).toBeLessThan(45)
  })

  test('is assessed by the image and the summary together', () => {
    for (const value of Object.values(quality_assessment)) {
      expect(value).toBeGreaterThan(0.7)
      expect(value).toBeLessThanOrEqual(1)
    }
    expect(quality).toBeGreaterThan(0.7)
    expect(quality_reason).toBeNull()
    const worse = analyzeVisualSummary(smile, visualSummary({ quality_score: 0.1, face_detection_rate: 0.2 }))
    expect(worse.quality).toBeLessThan(0.5)
    expect(worse.quality_reason).toBe('summary_low_quality')
  })

  test('is the same as JPEG, as PNG, and with a data address whose type is wrong', async () => {
    const pixels = await portrait('smiling broadly')
    const png = await analyzed(`data:image/jpeg;base64,${base64(await encodePng(pixels))}`)
    expect(png.faces).toBe(1)
    expect(await analyzed(`data:image/jpeg;base64,${base64(await smiling)}`)).toEqual(smile)
  })
})

describe('an image without a usable face', () => {
  test('has quality 0', () => {
    const { analysis, quality, quality_reason, measures } = analyzeVisualSummary(nobody, visualSummary())
    expect(analysis.image_analysis_results).toMatchObject({
      emotions: [],
      face_details: {
        quality: { brightness: null, sharpness: null },
        pose: { roll: null, yaw: null, pitch: null },
      },
      quality_assessment: { overall_quality: 0 },
    })
    expect(analysis.analysis_summary).toMatchObject({ primary_emotion: 'unknown', emotional_stability: 0 })
    expect({ quality, quality_reason }).toEqual({ quality: 0, quality_reason: 'no_face' })
    expect(Object.values(measures.features).every((value) => value === null)).toBe(true)
  })

  test('is found in a picture of a wall', async () => {
    const wall = crop(await portrait('serious'), 0, 0, 64, 64)
    expect(
      analyzeVisualSummary(await analyzed(base64(await encodeJpeg(wall))), visualSummary()).quality,
    ).toBe(0)
  })

  test('keeps what was measured on a face that is blurred, without naming emotions', () => {
    const { analysis } = analyzeVisualSummary({ ...smile, quality: 0.1, reason: 'blurred' }, visualSummary())
    expect(analysis.image_analysis_results.emotions).toEqual([])
    expect(analysis.image_analysis_results.face_details.quality.brightness).not.toBeNull()
  })
})

describe('whatever the summary', () => {
  test('every score is in its range', () => {
    fc.assert(
      fc.property(anySummary, fc.constantFrom(smile, nobody), (summary, outcome) => {
        const { analysis, quality } = analyzeVisualSummary(outcome, summary)
        const { emotional_stability, engagement_score } = analysis.analysis_summary
        const values = [
          ...Object.values(analysis.image_analysis_results.quality_assessment),
          emotional_stability,
          engagement_score,
          quality,
        ]
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('more engagement, more faces and a better quality never lower what they stand for', () => {
    fc.assert(
      fc.property(anySummary, anySummary, (a, b) => {
        const more = {
          ...a,
          face_detection_rate: Math.max(a.face_detection_rate, b.face_detection_rate),
          quality_score: Math.max(a.quality_score, b.quality_score),
          engagement_level: 'high' as const,
        }
        const [less, greater] = [analyzeVisualSummary(smile, a), analyzeVisualSummary(smile, more)]
        expect(greater.quality).toBeGreaterThanOrEqual(less.quality)
        for (const name of ['engagement_score', 'emotional_stability'] as const) {
          expect(greater.analysis.analysis_summary[name]).toBeGreaterThanOrEqual(
            less.analysis.analysis_summary[name],
          )
        }
      }),
    )
  })
})

describe('image data is rejected', () => {
  test.each([
    ['', 'image_empty'],
    ['data:image/png;base64,', 'image_empty'],
    [Buffer.from('plain words, and no image at all').toString('base64'), 'image_unreadable'],
    [Buffer.from('GIF89a and the rest of a picture').toString('base64'), 'image_unsupported'],
  ])('%s: %s', async (imageData, code) => {
    expect((await errorOf(imageData))?.code).toBe(code)
  })

  test('when the picture is cut off', async () => {
    const bytes = await smiling
    expect((await errorOf(base64(bytes.subarray(0, bytes.length / 2))))?.code).toBe('image_truncated')
  })

  test('above 10 MB', async () => {
    const bytes = new Uint8Array(10 * 1024 * 1024 + 1)
    expect((await errorOf(base64(bytes)))?.code).toBe('image_too_large')
    expect((await errorOf(base64(bytes.subarray(1))))?.code).toBe('image_unreadable')
  })
})

describe('base64', () => {
  test('gives every run of bytes back, with a prefix, line breaks, or without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const text = base64(bytes)
        expect([...(decodeBase64(text) ?? [])]).toEqual([...bytes])
        expect(decodeBase64(`data:image/jpeg;base64,${text}`)).toEqual(decodeBase64(text))
        expect(decodeBase64(text.replace(/(.{76})/g, '$1\r\n'))).toEqual(decodeBase64(text))
        expect(decodeBase64(text.replaceAll('=', ''))).toEqual(decodeBase64(text))
      }),
    )
  })

  test('gives a picture of megabytes back', () => {
    const bytes = Uint8Array.from({ length: 1_000_003 }, (_, index) => (index * 7919) % 256)
    expect(Buffer.compare(decodeBase64(base64(bytes)) ?? new Uint8Array(), bytes)).toBe(0)
  })

  test('with a space after every character takes no memory but that of its bytes', () => {
    const text = 'A '.repeat(4_000_000)
    expect(decodeBase64(text)).toHaveLength(3_000_000)
    const before = process.memoryUsage()
    decodeBase64(text)
    const after = process.memoryUsage()
    expect((after.heapTotal - before.heapTotal) / 2 ** 20).toBeLessThan(10)
  })

  test.each([
    '%%%',
    'A',
    'AA=',
    'AAA==',
    'A===',
    'AA==A',
    'AAAA====',
    'AA\u2003AA',
    'data:image/png,AAAA',
    `${'A'.repeat(262_140)}AA==AAAA`,
  ])('is not: %#', (text) => {
    expect(decodeBase64(text)).toBeNull()
  })
})

describe('the request', () => {
  const request = { sessionId: crypto.randomUUID(), imageData: 'AAAA', visualSummary: visualSummary() }

  test.each(Object.keys(visualSummary()))('is rejected without %s', (field) => {
    const summary = Object.fromEntries(Object.entries(visualSummary()).filter(([name]) => name !== field))
    expect(analyzeVisual.body.safeParse({ ...request, visualSummary: summary }).success).toBe(false)
  })

  test.each([
    { samples_captured: -1 },
    { face_detection_rate: 1.1 },
    { avg_brightness: 130 },
    { quality_score: '0.5' },
    { engagement_level: 'none' },
  ])('is rejected with %o', (part) => {
    const parsed = analyzeVisual.body.safeParse({
      ...request,
      visualSummary: { ...visualSummary(), ...part },
    })
    expect(parsed.success).toBe(false)
  })
})
