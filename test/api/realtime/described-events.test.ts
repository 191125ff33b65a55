import { expect, inject, test } from 'vitest'
import { servedDocument } from '../../../harness/client/described-response.ts'
import { validatorOf } from '../../../harness/client/validator.ts'
import { newSession, storeAnalysis, storeScore } from '../../../harness/factories/sessions.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

test('what the service broadcasts is as the document describes it', async () => {
  const [student, counselor] = [await newStudent(project), await newStaff(project, 'counselor')]
  const session = await newSession(student.client)
  const sent = await withDatabase(project, async (sql) => {
    await storeAnalysis(sql, student, session, 'audio')
    await storeScore(sql, student, session, 61)
    await sql`select private.broadcast_session_error(${session.id}, ${student.id}, '{"error": "Try again."}')`
    const [checkIn] = await sql<{ id: string }[]>`
      insert into checkin.check_ins (user_id, type, status, submissions, submitted_at)
      values (${student.id}, 'daily', 'processing', 1, now())
      returning id`
    const [job] = await sql`
      insert into private.analysis_jobs (check_in_id, kind, ordinal, input) values (${checkIn?.id ?? ''}, 'text', 1, '{}')
      returning check_in_id`
    await sql`select private.advance_check_in(${job?.check_in_id})`
    await sql`select private.fail_check_in(${checkIn?.id ?? ''}, 'nothing_to_score')`
    await sql`insert into public.support_alerts (user_id, worrying_days) values (${student.id}, 3)`
    await sql`select private.broadcast_alert(id) from public.support_alerts where user_id = ${student.id}`
    await sql`
      insert into private.exports (user_id, include_name, created_at) values (${student.id}, true, now())`
    await sql`
      insert into private.export_volumes (export_id, ordinal, content, object_name)
      select id, 1, 'documents', gen_random_uuid()::text from private.exports where user_id = ${student.id}`
    await sql`select private.broadcast_export(e) from private.exports e where user_id = ${student.id}`
    await sql`delete from private.exports where user_id = ${student.id}` // before a worker builds it
    await sql`select private.open_clinical_review(${student.id}, 'session', ${session.id})`
    const topics = [
      `reviews:${counselor.id}`,
      `assessment:${session.id}`,
      `check-in:${checkIn?.id}`,
      `support:${student.id}`,
      `account:${student.id}`,
    ]
    return sql<{ topic: string; event: string; payload: unknown }[]>`
      select topic, event, payload from realtime.messages where topic = any(${topics}) order by inserted_at`
  })

  const document = await servedDocument(project)
  const faults = validatorOf(document)
  const channels = Object.entries(document['x-channels'])
  const found = sent.map(({ topic, event, payload }) => {
    const [kind] = topic.split(':')
    const [, channel] = channels.find(([described]) => described.startsWith(`${kind}:`)) ?? []
    const schema = channel?.receive[event]?.payload
    return { event, faults: schema ? faults(schema, payload) : ['is not described'] }
  })
  expect(found.filter((one) => one.faults.length > 0)).toEqual([])
  expect(new Set(found.map(({ event }) => event))).toEqual(
    new Set([
      'analysis_complete',
      'score_calculated',
      'error',
      'progress',
      'status',
      'result',
      'support_alert',
      'changed',
      'export',
    ]),
  )
})
