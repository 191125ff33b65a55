import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, inject, test } from 'vitest'
import { completeCheckIn } from '../../functions/checkins/routes.ts'
import { ROOT } from '../../scripts/root.ts'

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr']

/** Every reason that docs/errors.md lists for a check-in that failed or a part of it, and every error of submitting one. */
function reasons(): string[] {
  const page = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8')
  const failed = page.slice(page.indexOf('A `failed` check-in'), page.indexOf('## When a function'))
  const rows = [
    ...failed.matchAll(/^\| (?:any|audio|face|transcript|mood|app’s summary) \| (.+) \|$|^\| (`\w+`) \|/gm),
  ]
  const listed = rows.flatMap(([, several = '', one = '']) =>
    [...`${several}${one}`.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  )
  return [...listed, ...(completeCheckIn.errors ?? []), 'rate_limited'].filter(
    (code) => code !== 'check_in_not_found',
  )
}

test('every reason has words in every language that is shipped', async () => {
  expect(reasons()).toContain('pauses_cleaned')
  const sql = postgres(inject('project').databaseUrl, { max: 1 })
  const rows = await sql<{ code: string; languages: string[] }[]>`
    select code, array_agg(language order by language) as languages from public.failure_reasons
    where language = any (${LANGUAGES}) group by code`
  await sql.end()
  const words = new Map(rows.map(({ code, languages }) => [code, languages]))
  expect(Object.fromEntries(reasons().map((code) => [code, words.get(code) ?? []]))).toEqual(
    Object.fromEntries(reasons().map((code) => [code, LANGUAGES])),
  )
})
