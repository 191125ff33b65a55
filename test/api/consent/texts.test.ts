import { expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { newStudent } from '../../../harness/factories/students.ts'

const project = inject('project')

test('texts are read before sign-in, and a consent that two devices give at once is given once', async () => {
  const { status, headers, body } = await call(project, null, 'GET', 'api/consent-texts?languages=de-AT')
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
  expect(body.texts).toContainEqual(
    expect.objectContaining({
      kind: 'camera',
      language: 'de',
      title: 'Auswertung von Bildern deines Gesichts',
    }),
  )
  expect(body.texts).toHaveLength(6)
  expect((await call(project, null, 'GET', 'api/consent-texts?languages=de,')).status).toBe(400)

  const student = await newStudent(project, [])
  const supabase = student.client
  const agree = (version: string) => supabase.rpc('grant_consents', { kinds: ['camera', 'text'], version })
  const taps = await Promise.all([agree('2026-11'), agree('2026-11'), agree('2026-11'), agree('2026-11')])
  expect(taps.map(({ error }) => error)).toEqual([null, null, null, null])
  expect(taps.map(({ data }) => data?.map(({ kind }) => kind))).toEqual(Array(4).fill(['camera', 'text']))
  expect(await supabase.from('consents').select('kind, withdrawn_at').order('kind')).toMatchObject({
    data: [
      { kind: 'camera', withdrawn_at: null },
      { kind: 'text', withdrawn_at: null },
    ],
  })
  expect((await agree('banana')).error).toMatchObject({ code: 'PT400', hint: 'consent_version_unknown' })
  expect((await supabase.from('consents').insert({ kind: 'text', version: '2026-11' })).error).toEqual(
    expect.objectContaining({
      code: '23505',
      hint: 'consent_given',
      message: 'You have agreed to this version already.',
    }),
  )
})
