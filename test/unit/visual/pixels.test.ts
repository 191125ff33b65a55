import { describe, expect, test } from 'vitest'
import type { Orientation } from '../../../functions/_shared/visual/image-bytes.ts'
import { blurCrop, halve, type Pixels, upright } from '../../../functions/_shared/visual/pixels.ts'
import { paint } from './pixel-edits.ts'

/** An image with one grey level a character, so that rows can be read. */
const imageOf = (rows: string[]): Pixels =>
  paint(rows[0]?.length ?? 0, rows.length, (x, y) => {
    const level = rows[y]?.charCodeAt(x) ?? 0
    return [level, level, level]
  })

const rowsOf = ({ width, height, data }: Pixels): string[] =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => String.fromCharCode(data[(y * width + x) * 4] ?? 0)).join(''),
  )

describe('an image is turned upright', () => {
  /** What a camera stores for the upright picture `ab / cd / ef`, by the places EXIF 2.3 gives row 0 and column 0. */
  test.each<[Orientation, string, string[]]>([
    [1, 'row 0 at the top, column 0 on the left', ['ab', 'cd', 'ef']],
    [2, 'row 0 at the top, column 0 on the right', ['ba', 'dc', 'fe']],
    [3, 'row 0 at the bottom, column 0 on the right', ['fe', 'dc', 'ba']],
    [4, 'row 0 at the bottom, column 0 on the left', ['ef', 'cd', 'ab']],
    [5, 'row 0 on the left, column 0 at the top', ['ace', 'bdf']],
    [6, 'row 0 on the right, column 0 at the top', ['bdf', 'ace']],
    [7, 'row 0 on the right, column 0 at the bottom', ['fdb', 'eca']],
    [8, 'row 0 on the left, column 0 at the bottom', ['eca', 'fdb']],
  ])('from orientation %i: %s', (orientation, _, stored) => {
    expect(rowsOf(upright(imageOf(stored), orientation))).toEqual(['ab', 'cd', 'ef'])
  })
})

describe('an image of half the size', () => {
  test('has the rounded mean of each four pixels, channel by channel', () => {
    const image = paint(2, 2, (x, y) => [100 + x, 10 * y, x === y ? 255 : 0])
    expect([...halve(image).data]).toEqual([101, 5, 128, 255])
  })

  test('leaves out an odd last row and column', () => {
    expect(halve(paint(7, 5, () => [1, 2, 3]))).toMatchObject({ width: 3, height: 2 })
  })
})

describe('a blurred crop', () => {
  const blurred = (rgb: number[]) =>
    blurCrop(
      { region: { centerX: 8, centerY: 8, size: 16, angle: 0 }, size: 16, rgb: Float32Array.from(rgb) },
      1.5,
    )

  test('of one colour is as it was, up to its edge', () => {
    const { rgb } = blurred(Array.from({ length: 16 * 16 * 3 }, (_, at) => [0.2, 0.4, 0.6][at % 3] ?? 0))
    for (let at = 0; at < rgb.length; at++) expect(rgb[at]).toBeCloseTo([0.2, 0.4, 0.6][at % 3] ?? 0, 5)
  })

  test('spreads a point alike in both directions, in its own channel', () => {
    const point = (8 * 16 + 8) * 3 + 1
    const { rgb } = blurred(Array.from({ length: 16 * 16 * 3 }, (_, at) => (at === point ? 1 : 0)))
    expect(rgb[point]).toBeCloseTo(1 / (2 * Math.PI * 1.5 ** 2), 2)
    expect(rgb[point + 3]).toBeCloseTo(rgb[point + 16 * 3] ?? 0, 6)
    expect(rgb[point - 1]).toBe(0)
  })
})
