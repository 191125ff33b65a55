import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES, statusOf } from '../../../functions/_shared/errors.ts'
import { ROOT } from '../../../scripts/root.ts'

/** Codes and statuses of the first table of docs/errors.md. */
function documented(): [string, number][] {
  const page = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8')
  return [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (\d{3}) \|/gm)].flatMap(([, codes = '', status]) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']): [string, number] => [code, Number(status)]),
  )
}

test('every code is in docs/errors.md, with its status, and no other is', () => {
  const known = ERROR_CODES.map((code): [string, number] => [code, statusOf(code)])
  expect(documented().sort()).toEqual(known.sort())
})
