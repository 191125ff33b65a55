import { describe, expect, inject, test } from 'vitest'
import { grantConsents } from '../../../demo/mobile-client.ts'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { newUniversity } from '../../../harness/factories/universities.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

describe('GET /api/privacy/accesses', () => {
  test('tells a student who read their record, page by page, and nobody else', async () => {
    const university = await newUniversity(project)
    const student = await newStudent(project, [])
    const other = await newStudent(project, [])
    await withDatabase(
      project,
      (sql) => sql`
        update public.profiles set university_id = ${university} where user_id in (${student.id}, ${other.id})`,
    )
    await grantConsents(student.client, ['counselor_access'])
    const counselor = await newStaff(project, 'counselor', university)
    await withDatabase(
      project,
      (sql) => sql`
        update public.profiles set first_name = 'Invented', last_name = 'Counselor' where user_id = ${counselor.id}`,
    )
    const reader = apiClient(project, counselor.token)
    for (let read = 0; read < 2; read++) {
      const { response } = await reader.GET('/api/students/{id}', { params: { path: { id: student.id } } })
      expect(response.status).toBe(200)
    }

    const own = apiClient(project, student.token)
    const first = await own.GET('/api/privacy/accesses', { params: { query: { limit: 1 } } })
    const record = {
      entry: expect.any(Number),
      occurred_at: expect.any(String),
      action: 'student_read',
      university_id: university,
      role: 'counselor',
      name: 'Invented Counselor',
    }
    expect(first.data?.accesses).toEqual([record])
    const next = first.data?.next ?? 0
    const second = await own.GET('/api/privacy/accesses', { params: { query: { limit: 2, before: next } } })
    expect(second.data).toEqual({ accesses: [record], next: null })
    expect(second.data?.accesses[0]?.entry).toBeLessThan(next)

    for (const { token } of [other, counselor]) {
      const { data } = await apiClient(project, token).GET('/api/privacy/accesses')
      expect(data).toEqual({ accesses: [], next: null })
    }
  })
})
