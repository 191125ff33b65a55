import { expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newStaff, newStudent } from '../../../harness/factories/students.ts'
import { newUniversity } from '../../../harness/factories/universities.ts'

const project = inject('project')

test('a student says where they are and in which language they are addressed, or is told what is wrong', async () => {
  const { id, client, token } = await newStudent(project)
  const change = (values: { time_zone?: string | null; language?: string | null }) =>
    client.from('profiles').update(values).eq('user_id', id).select('time_zone, language').single()

  expect((await change({ time_zone: 'America/Los_Angeles', language: 'pt-BR' })).data).toEqual({
    time_zone: 'America/Los_Angeles',
    language: 'pt-BR',
  })
  expect(await change({ time_zone: 'PST' })).toMatchObject({
    status: 400,
    error: { message: 'A time zone is an IANA name, such as Europe/Dublin.', hint: 'invalid_value' },
  })
  expect(await change({ language: 'english' })).toMatchObject({
    status: 400,
    error: {
      message: 'A language is a BCP 47 tag in its canonical form, such as en, pt-BR or zh-Hant.',
      hint: 'invalid_value',
    },
  })
  const data = { time_zone: 'america/los_angeles' }
  const byPath = await call(project, token, 'POST', 'api/database/update', {
    table: 'profiles',
    data,
    filters: { user_id: id },
  })
  expect([byPath.status, byPath.body.code]).toEqual([400, 'invalid_value'])
  expect((await change({ time_zone: null, language: null })).data).toEqual({
    time_zone: null,
    language: null,
  })
})

test('an administrator says it of their university', async () => {
  const id = await newUniversity(project)
  const { client } = await newStaff(project, 'university_admin', id)
  const change = (values: { time_zone?: string; languages?: string[] }) =>
    client.from('universities').update(values).eq('id', id).select('time_zone, languages')

  expect((await change({ time_zone: 'Asia/Kathmandu', languages: ['ne', 'en'] })).data).toEqual([
    { time_zone: 'Asia/Kathmandu', languages: ['ne', 'en'] },
  ])
  expect(await change({ languages: [] })).toMatchObject({ status: 400, error: { hint: 'invalid_value' } })
})
