import { describe, expect, test } from 'vitest'
import { MAX_GROUP_SIZE, planGroups } from '../../../functions/_shared/visual/index.ts'

describe('images are shared out to requests', () => {
  test('of at most four, of about equal size', () => {
    expect(planGroups(8)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ])
    expect(planGroups(9).map((group) => group.length)).toEqual([3, 3, 3])
    expect(planGroups(5).map((group) => group.length)).toEqual([2, 3])
  })

  test('none for none', () => expect(planGroups(0)).toEqual([]))

  test.each([1, 3, 4, 7, 10, 11, 12, 13])('each of %i exactly once', (count) => {
    const groups = planGroups(count)
    expect(groups.flat()).toEqual(Array.from({ length: count }, (_, index) => index))
    expect(groups).toHaveLength(Math.ceil(count / MAX_GROUP_SIZE))
  })
})
