import { describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'

const project = inject('project')

const ask = (person: Student, operation: string, body: unknown) =>
  call(project, person.token, 'POST', `api/database/${operation}`, body)

const row = { assessment_type: 'daily' }
const insert = (person: Student, data: unknown) =>
  ask(person, 'insert', { table: 'assessment_sessions', data })

describe('the limit of the Data API', () => {
  test('lets a hundred calls of a person through within a minute, whatever they do, and refuses the next', async () => {
    const [student, other] = await Promise.all([newStudent(project, []), newStudent(project, [])])
    const calls = Array.from({ length: 104 }, (_, index) => {
      if (index % 4 === 0) return call(project, student.token, 'GET', 'api/database/health')
      if (index % 4 === 1) return ask(student, 'update', {})
      return ask(student, 'select', { table: 'consents', limit: 1 })
    })
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(4)
    for (const { body, headers } of refused) {
      expect(body.code).toBe('rate_limited')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(headers.get('ratelimit-policy')).toBe('100;w=60')
    }
    expect((await ask(other, 'select', { table: 'consents' })).status).toBe(200)
  })

  test('lets five inserts of several rows through, and others beside them', async () => {
    const student = await newStudent(project, [])
    const answers = await Promise.all(Array.from({ length: 8 }, () => insert(student, [row, row])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(3)
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ data: null, count: null, code: 'rate_limited' })
      expect(headers.get('ratelimit-policy')).toBe('5;w=60')
      expect(headers.get('ratelimit-remaining')).toBe('0')
    }
    expect((await insert(student, [row])).status).toBe(200)
    expect((await insert(student, row)).status).toBe(200)
    const { body } = await ask(student, 'select', { table: 'assessment_sessions', limit: 0 })
    expect(body.count).toBe(12)
  })

  test('is reached by a thousand rows in one call as by two', async () => {
    const student = await newStudent(project, [])
    const { status, body, headers } = await insert(student, Array(1000).fill(row))
    expect({ status, count: body.count }).toEqual({ status: 200, count: 1000 })
    expect(headers.get('ratelimit-remaining')).toBe('4')
    expect((await insert(student, Array(1001).fill(row))).status).toBe(400)
  })
})
