import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { ALGORITHM_VERSION } from '../../../functions/_shared/scoring/scheme.ts'
import { scored, startWith } from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { newBareUniversity, newCohort } from '../../../harness/factories/universities.ts'
import { node } from '../../../harness/stack/command.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** Spread evenly about the score, by five points to either side, and one in ten by as many as twenty. */
const residualOf = (n: number) => (n % 10 === 9 ? (n % 20 === 9 ? -20 : 20) : (n % 11) - 5)

/** Invented students, each with a check-in of words that scored 50; the ids of the check-ins. */
async function labelledCheckIns(count: number): Promise<string[]> {
  return await withDatabase(project, async (sql) => {
    const students = await newCohort(sql, await newBareUniversity(sql), { students: count })
    const checkIns = await sql<{ id: string }[]>`
      insert into checkin.check_ins (user_id, type, status, progress, completed_at)
      select student, 'daily', 'complete', 1, now() from unnest(${students}::uuid[]) as student
      returning id`
    const ids = checkIns.map(({ id }) => id)
    await sql`insert into private.check_in_inputs (check_in_id) select unnest(${ids}::uuid[])`
    const components = [{ modality: 'text', score: 50, weight: 1 }]
    await sql`
      insert into checkin.fusion_results (
        check_in_id, user_id, score, uncertainty, score_interval, direction_of_change, significance, risk_level, summary,
        themes, drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version
      )
      select id, user_id, 50, 0.4, '{30,70}', 'same', 'low', 'none', '', '{}', '{}', '{}', '[]', ${sql.json(components)}, '{}',
        ${ALGORITHM_VERSION}
      from checkin.check_ins where id = any(${ids}::uuid[])`
    return ids
  })
}

function calibrateWith(labels: readonly string[]): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'calibrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'who5.csv')
  writeFileSync(file, ['check_in_id,value', ...labels].join('\n'))
  return node('scripts/calibrate.ts', 'who5', file, '--database-url', project.databaseUrl)
}

const stored = () =>
  withDatabase(
    project,
    (sql) => sql<{ components: string[]; instrument: string; labels: number; low: number; high: number }[]>`
      select components, instrument, labels, low::float8, high::float8 from private.score_calibrations`,
  )

describe('npm run calibrate', () => {
  test('fits intervals to the labels of enough students, which scores made after it have', async () => {
    onTestFinished(async () => {
      await withDatabase(project, (sql) => sql`delete from private.score_calibrations`)
    })
    const labels = (await labelledCheckIns(120)).map((id, n) => `${id},${50 + residualOf(n)}`)

    const few = await calibrateWith(labels.slice(0, 60))
    expect(few.output).toContain('text: 60 students have a label, 40 more are needed.')
    expect(few.code).toBe(1)
    expect(await stored()).toEqual([])

    const unknown = `${crypto.randomUUID()},50`
    const enough = await calibrateWith([...labels, unknown])
    expect(enough.output).toMatch(/text: 120 labels; .* of held-out labels \d+% lie within/)
    expect(enough.output).toContain('1 labels are left out')
    expect(enough.code).toBe(0)
    const [interval, ...others] = await stored()
    expect(others).toEqual([])
    expect(interval).toMatchObject({ components: ['text'], instrument: 'who5', labels: 120 })
    const { low, high } = interval ?? { low: Number.NaN, high: Number.NaN }
    const within = labels.filter((_, n) => residualOf(n) >= low && residualOf(n) <= high)
    expect(within.length).toBeGreaterThanOrEqual(108)

    const student = await newStudent(project, ['text'])
    const { id } = await startWith(project, student, {})
    const words = 'I slept well, I met my friends by the river, and I feel calm about the week that comes.'
    const result = await scored(project, student, id, { transcript: words })
    expect(result.calibrated).toBe(true)
    expect(result.score_interval?.[0]).toBeCloseTo(Math.max(0, result.score + low), 1)
    expect(result.score_interval?.[1]).toBeCloseTo(Math.min(100, result.score + high), 1)
  })

  test('refuses a file with a line that is not a check-in and a value, and stores nothing', async () => {
    const { code, output } = await calibrateWith([`${crypto.randomUUID()},fifty`])
    expect(output.trim()).toBe('Line 2 is not a check-in and a value from 0 to 100')
    expect(code).toBe(1)
  })
})
