import { expect, inject, test } from 'vitest'
import { newStudent } from '../factories/students.ts'

const project = inject('project')

// Shows a weakness that is not mended: a row of sessions embeds the student's profile, and that every session once more, so that
// one request of a student with 1,000 sessions builds a million rows, or fills the memory with what the sessions hold.
test.fails('a request of the Data API returns no more rows than there are, however it embeds them', async () => {
  const { client } = await newStudent(project, [])
  const own = 30
  const inserted = await client
    .from('assessment_sessions')
    .insert(Array.from({ length: own }, () => ({ assessment_type: 'daily' as const })))
  if (inserted.error) throw new Error('the sessions are not stored', { cause: inserted.error })
  const { data } = await client
    .from('assessment_sessions')
    .select('id, profiles!assessment_sessions_user_id_fkey(assessment_sessions(id))')
  const embedded = (data ?? []).flatMap(({ profiles }) => profiles.assessment_sessions)
  expect(embedded.length).toBeLessThanOrEqual(own)
})
