import { expect, test } from 'vitest'
import { measureBusyStudent } from '../../harness/busy-student/measure.ts'

test('a student who makes every call as often as allowed drowns neither the crisis contact nor other students', async () => {
  const { unscored, crisisMails, besideS, responses } = await measureBusyStudent(1, () => {})
  expect(besideS.length).toBeGreaterThan(0)
  expect(unscored).toBe(0)
  expect(crisisMails).toBeGreaterThan(0)
  expect(crisisMails).toBeLessThanOrEqual(3)
  // Calls are rejected by limits alone, none by a function that fell over.
  const failed = [...responses].flatMap(([name, byStatus]) =>
    Object.keys(byStatus)
      .filter((status) => Number(status) === 0 || Number(status) >= 500)
      .map((status) => `${name}: ${status}`),
  )
  expect(failed).toEqual([])
}, 600_000)
