import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ERROR_CODES, isErrorCode } from '../../functions/_shared/errors.ts'
import type { Route } from '../../functions/_shared/http/route.ts'
import { ROUTES } from '../../functions/api/routes.ts'
import { call } from '../../harness/client/call.ts'
import { ROOT } from '../../scripts/root.ts'

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr']
const PAGE = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8')

/** The subjects whose functions of the database students call. */
const OF_STUDENTS = [
  'checkins',
  'consent',
  'exports',
  'platform',
  'privacy',
  'sessions',
  'support',
  'universities',
]

/** Every code with which the functions of some subjects refuse. */
function codesOfDatabase(isOfSubject: (subject: string) => boolean): string[] {
  const files = globSync('sql/*/*.sql', { cwd: ROOT }).filter((file) => isOfSubject(file.split('/')[1] ?? ''))
  const sql = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
  const raised = sql.matchAll(/private\.refuse\(\s*\d+,\s*'(\w+)'|\bhint = '(\w+)'/g)
  return [...raised].map(([, code = '', hint = '']) => code || hint).filter(isErrorCode)
}

/** Every documented code but those with which only calls of staff end. */
function codesOfStudents(): string[] {
  const declaredBy = (routes: readonly Route[]) => routes.flatMap(({ errors }) => errors ?? [])
  const ofStaff = new Set<string>([
    ...declaredBy(ROUTES.filter(({ staff }) => staff)),
    ...codesOfDatabase((subject) => !OF_STUDENTS.includes(subject)),
  ])
  const ofOthers = new Set<string>(declaredBy(ROUTES.filter(({ staff }) => !staff)))
  return ERROR_CODES.filter((code) => !ofStaff.has(code) || ofOthers.has(code))
}

/** Every reason that docs/errors.md lists for a check-in that failed or a part of it. */
function reasonsOfCheckIns(): string[] {
  const failed = PAGE.slice(PAGE.indexOf('A `failed` check-in'), PAGE.indexOf('## When a function'))
  const rows = [
    ...failed.matchAll(/^\| (?:any|audio|face|transcript|mood|app’s summary) \| (.+) \|$|^\| (`\w+`) \|/gm),
  ]
  return rows.flatMap(([, several = '', one = '']) => codesIn(`${several}${one}`))
}

/** Every code of Auth that docs/errors.md names. */
function codesOfAuth(): string[] {
  const paragraph = PAGE.slice(PAGE.indexOf('Auth has codes of its own'))
  return codesIn(paragraph.slice(paragraph.indexOf(':'), paragraph.indexOf('\n\n')))
}

function codesIn(text: string): string[] {
  return [...text.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code)
}

test('every error that a student can meet, and every reason, has words in every language, before sign-in too', async () => {
  const codes = [
    ...codesOfStudents(),
    ...codesOfDatabase((subject) => OF_STUDENTS.includes(subject)),
    ...reasonsOfCheckIns(),
    ...codesOfAuth(),
  ]
  expect(codes).toEqual(
    expect.arrayContaining(['buddy_self', 'consent_given', 'pauses_cleaned', 'otp_expired', 'busy']),
  )
  expect(codes).not.toContain('policy_invalid')
  for (const language of LANGUAGES) {
    const { body } = await call(
      inject('project'),
      null,
      'GET',
      `api/failure-reasons?languages=${language}-AT,fr`,
    )
    const reasons = body.reasons as { code: string; language: string }[]
    const inWords = new Set(reasons.filter((words) => words.language === language).map(({ code }) => code))
    expect({ language, without: codes.filter((code) => !inWords.has(code)) }).toEqual({
      language,
      without: [],
    })
  }
})
