import { expect, test } from 'vitest'
import { halve, type Pixels } from '../../../functions/_shared/visual/pixels.ts'
import { encodeJpeg, faceModels } from './codecs.ts'
import { groupPhotograph } from './photographs.ts'
import { crop } from './pixel-edits.ts'

function meanDifference(first: Pixels, second: Pixels): number {
  expect([first.width, first.height]).toEqual([second.width, second.height])
  return (
    first.data.reduce((sum, value, i) => sum + Math.abs(value - (second.data[i] ?? 0)), 0) / first.data.length
  )
}

test('a JPEG decoded to a half, a quarter or an eighth is the whole one halved as often', async () => {
  const jpeg = await encodeJpeg(crop(await groupPhotograph(1), 0, 0, 640, 480))
  let halved = await faceModels.decodeJpeg(jpeg)
  for (const halvings of [1, 2, 3]) {
    halved = halve(halved)
    expect(meanDifference(await faceModels.decodeJpeg(jpeg, halvings), halved)).toBeLessThan(1)
  }
})

test('its sides are rounded up', async () => {
  const jpeg = await encodeJpeg(crop(await groupPhotograph(1), 0, 0, 333, 201))
  for (const [halvings, width, height] of [
    [0, 333, 201],
    [1, 167, 101],
    [2, 84, 51],
    [3, 42, 26],
  ] as const) {
    expect(await faceModels.decodeJpeg(jpeg, halvings)).toMatchObject({ width, height })
  }
})
