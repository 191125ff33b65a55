import { describe, expect, inject, test } from 'vitest'
import { speech, start, startWith, words } from './media.ts'
import { ended, scored } from './outcome.ts'
import { call, newStudent, withDatabase } from './project.ts'

const project = inject('stack')

describe('at the same time', () => {
  test('twenty calls of complete make one set of jobs and one result', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const { id } = await startWith(project, student, { audio: speech('short.m4a') })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        call(project, student.token, 'POST', `checkins/${id}/complete`, { transcript: words('short') }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200))
    const jobs = await withDatabase(
      project,
      (sql) => sql`
      select kind, count(*)::int as count from private.analysis_jobs
      where check_in_id = ${id} group by kind having count(*) > 1`,
    )
    expect(jobs).toEqual([])

    const { result } = await ended(project, student, id)
    expect(result).toBeDefined()
    const [row] = await withDatabase(
      project,
      (sql) => sql`
      select c.submissions,
        (select count(*)::int from checkin.fusion_results r where r.check_in_id = c.id) as results,
        (select check_ins from checkin.user_baselines b where b.user_id = c.user_id) as counted
      from checkin.check_ins c where c.id = ${id}`,
    )
    expect(row).toEqual({ submissions: 1, results: 1, counted: 1 })
  })

  test('two check-ins of one student are both right and both counted once', async () => {
    const student = await newStudent(project, ['text'])
    const alone = await newStudent(project, ['text'])
    const expected = await scored(project, alone, (await start(project, alone)).id, {
      transcript: words('neutral'),
    })

    const ids = await Promise.all([start(project, student), start(project, student)])
    const results = await Promise.all(
      ids.map(({ id }) => scored(project, student, id, { transcript: words('neutral') })),
    )
    // Whichever was fused first was compared with nothing, the other with the first.
    expect(results.map((result) => result.baseline.check_ins).sort()).toEqual([0, 1])
    const first = results.find((result) => result.baseline.check_ins === 0)
    expect(first?.score).toBe(expected.score)
    const { data } = await student.client
      .schema('checkin')
      .from('user_baselines')
      .select('check_ins, version')
      .single()
    expect(data).toEqual({ check_ins: 2, version: 2 })
  })
})
