import { expect, test } from 'vitest'
import { drill } from '../drill/drill.ts'

test('a lost project comes back row by row and object by object, without those who were erased after the backup', async () => {
  const { rows, tables, objects, different, returned, works, unobserved } = await drill(
    { students: 20, days: 14 },
    () => {},
  )
  expect(rows).toBeGreaterThan(1000)
  expect(tables).toBeGreaterThan(50)
  expect(objects).toBeGreaterThan(10)
  expect(different).toEqual([])
  expect(returned).toEqual([])
  expect(unobserved).toEqual([])
  expect(works).toBe(true)
}, 900_000)
