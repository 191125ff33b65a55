import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  ended,
  scored,
  speech,
  start,
  startWith,
  transcriptOf,
  uploadMedium,
} from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

describe('at the same time', () => {
  test('starts of several devices make one check-in, which goes on with what one of them uploads', async () => {
    const student = await newStudent(project)
    const began = await Promise.all(Array.from({ length: 6 }, () => start(project, student)))
    expect(new Set(began.map(({ id }) => id)).size).toBe(1)
    expect(began.filter(({ resumed }) => !resumed)).toHaveLength(1)

    const [first] = began
    const medium = speech('short.ogg')
    await uploadMedium(student, first?.uploads.audio, medium)
    const received = {
      bytes: medium.bytes.length,
      content_type: medium.type,
      uploaded_at: expect.any(String),
    }
    const { resumed, uploads } = await start(project, student)
    expect({ resumed, audio: uploads.audio?.received, image: uploads.images[0]?.received }).toEqual({
      resumed: true,
      audio: received,
      image: null,
    })
    const current = await call(project, student.token, 'GET', 'checkins/current')
    expect(current.body.check_in).toMatchObject({
      id: first?.id,
      status: 'created',
      uploads: { audio: { name: 'audio', ...received }, images: [] },
    })
    const other = await call(project, student.token, 'GET', 'checkins/current?type=weekly')
    expect(other).toMatchObject({ status: 200, body: { check_in: null } })
  })

  test('twenty calls of complete make one set of jobs and one result', async () => {
    const student = await newStudent(project, ['audio', 'text'])
    const { id } = await startWith(project, student, { audio: speech('short.m4a') })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        call(project, student.token, 'POST', `checkins/${id}/complete`, {
          transcript: transcriptOf('short'),
        }),
      ),
    )
    // Ten a minute is what the limit lets through.
    const passed = responses.filter((response) => response.status === 200)
    expect(passed).toHaveLength(10)
    expect(responses.filter((response) => response.status === 429)).toHaveLength(10)
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
    const body = { transcript: transcriptOf('neutral') }
    const inTurn = await newStudent(project, ['text'])
    const expected = [
      await scored(project, inTurn, (await start(project, inTurn)).id, body),
      await scored(project, inTurn, (await start(project, inTurn)).id, body),
    ]

    const ids = await Promise.all([start(project, student, 'daily'), start(project, student, 'weekly')])
    const results = await Promise.all(ids.map(({ id }) => scored(project, student, id, body)))
    // Whichever was fused first was compared with nothing, the other with the first.
    results.sort((one, other) => one.baseline.check_ins - other.baseline.check_ins)
    expect(results.map(({ score, uncertainty, baseline }) => ({ score, uncertainty, baseline }))).toEqual(
      expected.map(({ score, uncertainty, baseline }) => ({ score, uncertainty, baseline })),
    )
    const { data } = await student.client
      .schema('checkin')
      .from('user_baselines')
      .select('check_ins, version')
      .single()
    expect(data).toEqual({ check_ins: 2, version: 2 })
  })
})
