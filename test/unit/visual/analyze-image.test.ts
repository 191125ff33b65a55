import { beforeAll, describe, expect, test } from 'vitest'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import type { FaceMeasures, ImageOutcome } from '../../../functions/_shared/visual/outcome.ts'
import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { analyze, analyzeAnew, encodeJpeg, encodePng, encodeWebp, faceModels } from './codecs.ts'
import { jpegDeclaring, pngDeclaring, withExifOrientation } from './crafted-files.ts'
import { groupPhotograph, type Person, portrait } from './photographs.ts'
import { beside, blur, brighten, crop, mirror, paint, rotate, scale, storedSideways } from './pixel-edits.ts'

async function faceIn(pixels: Pixels): Promise<FaceMeasures> {
  const { face, reason } = await analyze(pixels)
  if (!face) throw new Error(`no face was measured: ${reason}`)
  return face
}

const faceOf = async (person: Person) => faceIn(await portrait(person))

describe('a portrait', () => {
  test.each<Person>(['serious', 'smiling', 'calm', 'laughing'])('is usable: %s', async (person) => {
    const outcome = await analyze(await portrait(person))
    expect(outcome).toMatchObject({ faces: 1, reason: null })
    expect(outcome.quality).toBeGreaterThan(0.9)
  })

  test('gives an outcome that is plain JSON of finite numbers', async () => {
    const outcome = await analyze(await portrait('smiling'))
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
    expect(numbersIn(outcome).every(Number.isFinite)).toBe(true)
  })

  test('gives probabilities of emotions that add up to 1', async () => {
    const { emotions } = await faceOf('serious')
    expect(Object.values(emotions).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6)
  })

  test.each([
    ['PNG', encodePng],
    ['WebP', encodeWebp],
  ])('as %s measures like the same pixels as JPEG', async (_, encode) => {
    const pixels = await portrait('smiling')
    const { face } = await analyzeImage(await encode(pixels), faceModels)
    expectAlike(face, await faceIn(pixels))
  })
})

describe('expressions are ordered rightly', () => {
  test('broad smiles before gentle ones before serious faces', async () => {
    const broad = await faceOf('smiling broadly')
    for (const person of ['smiling', 'smiling gently'] as const) {
      const gentle = await faceOf(person)
      expect(broad.expression.smile).toBeGreaterThan(gentle.expression.smile + 0.2)
      for (const other of ['serious', 'calm', 'pouting'] as const) {
        const neutral = await faceOf(other)
        expect(gentle.expression.smile).toBeGreaterThan(neutral.expression.smile + 0.15)
        expect(gentle.emotions.happy).toBeGreaterThan(neutral.emotions.happy + 0.5)
      }
    }
  })

  test('an open mouth before a closed one', async () => {
    const open = await faceOf('laughing')
    const shut = await faceOf('pouting')
    expect(open.expression.mouth_openness).toBeGreaterThan(0.2)
    expect(shut.expression.mouth_openness).toBeLessThan(0.08)
  })

  test('open eyes before shut ones', async () => {
    for (const person of ['eyes shut, looking down', 'looking down'] as const) {
      expect((await faceOf(person)).expression.eye_openness).toBeLessThan(0.15)
    }
    for (const person of ['serious', 'smiling', 'laughing', 'calm', 'pouting'] as const) {
      expect((await faceOf(person)).expression.eye_openness).toBeGreaterThan(0.27)
    }
  })

  test('a gaze at the camera before an averted one', async () => {
    for (const person of ['serious', 'smiling', 'laughing', 'calm'] as const) {
      const { gaze } = await faceOf(person)
      expect(Math.hypot(gaze.right_deg, gaze.up_deg)).toBeLessThan(15)
    }
    for (const person of ['eyes shut, looking down', 'looking down'] as const) {
      expect((await faceOf(person)).gaze.up_deg).toBeLessThan(-25)
    }
  })
})

describe('a photograph that was changed', () => {
  test.each<Person>(['serious', 'smiling broadly', 'calm'])('in size measures alike: %s', async (person) => {
    const pixels = await portrait(person)
    const before = await faceIn(pixels)
    for (const factor of [0.6, 2.5]) expectAlike(await faceIn(scale(pixels, factor)), before)
  })

  test.each<Person>(['serious', 'smiling broadly', 'calm'])(
    'in brightness measures alike: %s',
    async (person) => {
      const pixels = await portrait(person)
      const before = await faceIn(pixels)
      for (const factor of [0.7, 1.2]) expectAlike(await faceIn(brighten(pixels, factor)), before)
    },
  )

  test.each<Person>(['serious', 'smiling broadly', 'calm'])(
    'by 15° measures alike but for roll: %s',
    async (person) => {
      const pixels = await portrait(person)
      const before = await faceIn(pixels)
      for (const angle of [-15, 15]) {
        const after = await faceIn(rotate(pixels, angle))
        expectAlike(after, before)
        expect(after.pose.roll_deg - before.pose.roll_deg).toBeCloseTo(angle, -0.6)
      }
    },
  )

  test.each<Person>(['serious', 'smiling broadly', 'calm'])(
    'to its mirror image turns the other way: %s',
    async (person) => {
      const pixels = await portrait(person)
      const before = await faceIn(pixels)
      const after = await faceIn(mirror(pixels))
      const mirrored = (face: FaceMeasures): FaceMeasures => ({
        ...face,
        pose: { ...face.pose, yaw_deg: -face.pose.yaw_deg, roll_deg: -face.pose.roll_deg },
        gaze: { ...face.gaze, right_deg: -face.gaze.right_deg },
      })
      expectAlike(mirrored(after), before)
      expect(mirrored(after).pose.roll_deg).toBeCloseTo(before.pose.roll_deg, -0.6)
    },
  )

  test('by a camera held sideways is turned upright by its EXIF orientation', async () => {
    const pixels = await portrait('smiling broadly')
    const sideways = await encodeJpeg(storedSideways(pixels))
    expect((await analyzeImage(sideways, faceModels)).reason).not.toBeNull()
    const { face } = await analyzeImage(withExifOrientation(sideways, 6), faceModels)
    expectAlike(face, await faceIn(pixels))
  })
})

describe('an image that is not usable says why', () => {
  test('no face', async () => {
    const landscape = paint(400, 300, (x, y) => (y < 150 ? [120, 170, 230] : [40 + (x % 50), 120, 60]))
    expect(await analyze(landscape)).toEqual({ faces: 0, face: null, quality: 0, reason: 'no_face' })
  })

  test('a person without a head', async () => {
    const photograph = await groupPhotograph(4)
    expect((await analyze(crop(photograph, 850, 800, 400, 400))).reason).toBe('no_face')
  })

  test('two faces', async () => {
    const outcome = await analyze(beside(await portrait('serious'), await portrait('smiling')))
    expect(outcome).toEqual({ faces: 2, face: null, quality: 0, reason: 'multiple_faces' })
  })

  test('a group', async () => {
    expect((await analyze(await groupPhotograph(4))).reason).toBe('multiple_faces')
  })

  test('a much smaller face in the background does not count', async () => {
    const near = scale(await portrait('serious'), 2)
    const far = scale(await portrait('smiling'), 0.7)
    const both = paint(near.width + far.width, near.height, (x, y) => {
      const image = x < near.width ? near : far
      const at = ((y % image.height) * image.width + (x < near.width ? x : x - near.width)) * 4
      const isBackground = x >= near.width && y >= far.height
      return isBackground
        ? [90, 90, 90]
        : [image.data[at] ?? 0, image.data[at + 1] ?? 0, image.data[at + 2] ?? 0]
    })
    expect(await analyze(both)).toMatchObject({ faces: 1, reason: null })
  })

  test('too dark', async () => {
    expect((await analyze(brighten(await portrait('smiling'), 0.015))).reason).toBe('too_dark')
    expect((await analyze(paint(200, 200, () => [3, 3, 3]))).reason).toBe('too_dark')
  })

  test('blurred', async () => {
    expect((await analyze(blur(await portrait('smiling broadly'), 6))).reason).toBe('blurred')
  })

  test('face too small', async () => {
    expect((await analyze(scale(await portrait('serious'), 0.25))).reason).toBe('face_too_small')
  })

  test('head turned away', async () => {
    expect((await analyze(rotate(await portrait('laughing'), 35))).reason).toBe('turned_away')
  })

  test('and it costs quality', async () => {
    const pixels = await portrait('serious')
    for (const poorer of [brighten(pixels, 0.015), blur(pixels, 6), scale(pixels, 0.25)]) {
      expect((await analyze(poorer)).quality).toBeLessThan(0.5)
    }
  })
})

describe('a file that cannot be analysed', () => {
  test('is rejected from its header, before anything is decoded', async () => {
    const decodesNothing = { ...faceModels, decodeJpeg: unexpected }
    await expect(analyzeImage(pngDeclaring(50_000, 50_000), decodesNothing)).rejects.toMatchObject({
      code: 'image_too_large',
    })
    await expect(analyzeImage(jpegDeclaring(1, 1), decodesNothing)).rejects.toMatchObject({
      code: 'image_too_small',
    })
  })

  test('is damaged, and the next image is analysed as ever', async () => {
    const pixels = await portrait('calm')
    const [jpeg, png] = [await encodeJpeg(pixels), await encodePng(pixels)]
    const before = await analyzeImage(jpeg, faceModels)
    await expect(analyzeImage(pngDeclaring(300, 400), faceModels)).rejects.toMatchObject({
      code: 'image_unreadable',
    })
    await expect(analyzeImage(jpegDeclaring(300, 400, { share: 0 }), faceModels)).rejects.toMatchObject({
      code: 'image_unreadable',
    })
    expect(await analyzeImage(jpeg, faceModels)).toEqual(before)
    expect((await analyzeImage(png, faceModels)).reason).toBeNull()
  })
})

describe('nothing is carried over from one image to the next', () => {
  let alone: ImageOutcome
  beforeAll(async () => {
    alone = await analyzeAnew(await portrait('smiling'))
  })

  test('the same bytes give the same numbers whatever came before', async () => {
    for (const before of ['serious', 'pouting', 'laughing'] as const) {
      await analyzeAnew(await portrait(before))
      expect(await analyzeAnew(await portrait('smiling'))).toEqual(alone)
    }
  })

  test('two similar images are told apart', async () => {
    const pixels = await portrait('smiling')
    const moved = await analyze(crop(pixels, 3, 2, pixels.width, pixels.height))
    expect(moved.face?.emotions).not.toEqual(alone.face?.emotions)
    expect(moved.face?.expression).not.toEqual(alone.face?.expression)
  })

  test('images analysed at the same time do not mix', async () => {
    const people = ['serious', 'smiling', 'pouting'] as const
    const together = await Promise.all(people.map(async (person) => analyzeAnew(await portrait(person))))
    for (const [index, person] of people.entries()) {
      expect(together[index]).toEqual(await analyze(await portrait(person)))
    }
  })
})

/** The tolerances within which a change that leaves the face as it was may move its measures. */
function expectAlike(after: FaceMeasures | null, before: FaceMeasures): void {
  if (!after) throw new Error('no face was measured')
  const differences = {
    eye_openness: [after.expression.eye_openness - before.expression.eye_openness, 0.03],
    mouth_openness: [after.expression.mouth_openness - before.expression.mouth_openness, 0.05],
    smile: [after.expression.smile - before.expression.smile, 0.12],
    brow_lowering: [after.expression.brow_lowering - before.expression.brow_lowering, 0.15],
    happy: [after.emotions.happy - before.emotions.happy, 0.2],
    pitch: [after.pose.pitch_deg - before.pose.pitch_deg, 5],
    yaw: [after.pose.yaw_deg - before.pose.yaw_deg, 5],
    gaze_right: [after.gaze.right_deg - before.gaze.right_deg, 6],
    gaze_up: [after.gaze.up_deg - before.gaze.up_deg, 6],
  } satisfies Record<string, [number, number]>
  const tooFar = Object.entries(differences).filter(([, [difference, most]]) => Math.abs(difference) > most)
  expect(tooFar).toEqual([])
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

function unexpected(): never {
  throw new Error('the image was decoded')
}
