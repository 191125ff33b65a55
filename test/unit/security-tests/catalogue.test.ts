import { expect, test } from 'vitest'
import { WORKERS } from '../../../functions/_shared/security-tests/probes/workers.ts'
import { PROBES } from '../../../functions/_shared/security-tests/test.ts'
import { ROUTES } from '../../../functions/api/routes.ts'
import { Constants } from '../../../types/database.ts'

test('the catalogue has every probe that the database knows, in its order', () => {
  expect(PROBES).toEqual(Constants.public.Enums.security_probe)
})

test('every function that only the database calls is probed', () => {
  const called = ROUTES.filter(({ security }) => security === 'database').map(({ path }) => path.slice(1))
  expect([...WORKERS]).toEqual([...new Set(called)].sort())
})
