import type { BuiltDatabase } from 'local-supabase'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { ended, faces, speech, startWith, transcriptOf } from '../../../harness/factories/check-ins.ts'
import { giveConsents } from '../../../harness/factories/consents.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { localOnly, migratedDatabase, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import { type Connection, connect, Racer } from '../../../harness/stack/racer.ts'
import { dose } from '../../depth.ts'

const project = inject('project')

const MODALITIES = { audio: 'audio', camera: 'visual', text: 'text' } as const
type Kind = keyof typeof MODALITIES

/** The steps of the pipeline that read what a consent covers, and the score that is made of it. */
const STEPS: Record<Kind, string[]> = {
  audio: ['audio_slice', 'audio_merge', 'fusion'],
  camera: ['visual_group', 'visual_merge', 'fusion'],
  text: ['text', 'fusion'],
}
const STATES = ['queued', 'running', 'done'] as const

type Moment = readonly [kind: Kind, step: string, state: (typeof STATES)[number]]

const KINDS = ['audio', 'camera', 'text'] as const
const every: Moment[] = KINDS.flatMap((kind) =>
  STEPS[kind].flatMap((step) => STATES.map((state) => [kind, step, state] as const)),
)
const chosen: Moment[] = [
  ['audio', 'audio_slice', 'running'],
  ['camera', 'visual_merge', 'queued'],
  ['text', 'fusion', 'queued'],
]

describe('a consent that is withdrawn while the pipeline runs', () => {
  test.each(dose(chosen, every))(
    'of %s, once the step %s is %s, leaves nothing of that kind',
    async (kind, step, state) => {
      const student = await newStudent(project)
      const { id } = await startWith(project, student, {
        audio: speech('neutral.m4a'),
        images: await faces(),
      })
      const { status } = await call(project, student.token, 'POST', `checkins/${id}/complete`, {
        transcript: transcriptOf('neutral'),
      })
      expect(status).toBe(200)
      await withDatabase(project, (sql) =>
        vi.waitFor(
          async () => {
            const [found] = await sql`
            select from checkin.check_ins c
            where c.id = ${id}
              and (
                c.status <> 'processing'
                or exists (
                  select from private.analysis_jobs j
                  where j.check_in_id = c.id and j.kind = ${step} and j.status >= ${state}
                )
              )`
            if (!found) throw new Error(`The step ${step} is not yet ${state}`)
          },
          { timeout: 120_000, interval: 5 },
        ),
      )
      const { data: withdrawn, error } = await student.client.rpc('withdraw_consent', { kind })
      expect(error).toBeNull()
      expect(withdrawn).toMatchObject({ kind, deleted: { files: { audio: 1, camera: 8, text: 0 }[kind] } })

      const { result } = await ended(project, student, id)
      const part = result?.components.find(({ modality }) => modality === MODALITIES[kind])
      expect(part?.score ?? null).toBeNull()
      const left = await withDatabase(
        project,
        (sql) => sql`
        select 'features' as what from checkin.audio_analysis where check_in_id = ${id} and ${kind} = 'audio'
        union all
        select 'features' from checkin.visual_analysis where check_in_id = ${id} and ${kind} = 'camera'
        union all
        select 'features' from checkin.text_analysis where check_in_id = ${id} and ${kind} = 'text'
        union all
        select 'transcript' from private.check_in_inputs
        where check_in_id = ${id} and ${kind} = 'text' and transcript is not null
        union all
        select 'media' from private.check_in_media
        where check_in_id = ${id} and kind = case ${kind} when 'audio' then 'audio' when 'camera' then 'image' end
        union all
        select 'baseline' from checkin.user_baselines, jsonb_object_keys(state -> 'features') as feature
        where user_id = ${student.id} and starts_with(feature, ${`${MODALITIES[kind]}.`})`,
      )
      expect([...left]).toEqual([])
      if (kind === 'text') return
      const bucket = serviceClient(project).storage.from(
        kind === 'audio' ? 'check-in-media' : 'check-in-images',
      )
      await vi.waitFor(
        async () => {
          const { data } = await bucket.list(`${student.id}/${id}`)
          if (data?.length !== 0) throw new Error('The files are still there')
        },
        { timeout: 120_000, interval: 200 },
      )
    },
  )
})

describe('a withdrawal while retention deletes check-ins', localOnly('builds a database'), () => {
  let built: BuiltDatabase
  let sql: Sql
  let connections: [Connection, Connection, Connection]
  beforeAll(async () => {
    built = await migratedDatabase('withdrawals')
    connections = [
      await connect(built.adminUrl),
      await connect(built.adminUrl),
      await connect(built.adminUrl),
    ]
    sql = (await connect(built.adminUrl)).sql
    await sql`
      insert into public.universities (id, name, short_name, domain)
      values ('hillside', 'Hillside University (invented)', 'Hillside', 'hillside.example.edu')`
  })
  afterAll(async () => {
    await Promise.all([sql, ...connections.map((connection) => connection.sql)].map((each) => each.end()))
    await built.drop()
  })

  test.each([
    ['withdraws', 'deletes'],
    ['deletes', 'withdraws'],
  ])('leaves no score of what is deleted as the last result: one %s, then the other', async (...names) => {
    const student = crypto.randomUUID()
    await sql`
      insert into auth.users (id, email, aud, role, email_confirmed_at)
      values (${student}, ${`${student}@hillside.example.edu`}, 'authenticated', 'authenticated', now())`
    await sql.begin((tx) => giveConsents(tx, [student], ['audio']))
    // The earlier one, whose term is over, has a score without the voice.
    for (const [modality, age, score] of [
      ['visual', '4 years', 40],
      ['audio', '1 day', 60],
    ] as const) {
      await sql`
        with made as (
          insert into checkin.check_ins (user_id, type, status, created_at, completed_at)
          values (${student}, 'daily', 'complete', now() - ${age}::interval, now() - ${age}::interval)
          returning id, user_id, created_at
        )
        insert into checkin.fusion_results
        select (jsonb_populate_record(null::checkin.fusion_results, ${sql.json({
          ...{
            score,
            uncertainty: 0.2,
            calibrated: false,
            direction_of_change: 'same',
            significance: 'low',
            risk_level: 'mild',
          },
          ...{ summary: '', themes: [], drivers_positive: [], drivers_negative: [], drivers: [] },
          ...{ components: [{ modality, score }], baseline: {}, algorithm_version: 'test' },
        })} || jsonb_build_object('check_in_id', id, 'user_id', user_id, 'created_at', created_at))).*
        from made`
    }
    await sql`select private.refresh_last_result(${student})`
    const steps: Record<string, (of: Sql) => Promise<unknown>> = {
      withdraws: async (of) => {
        await of`select from auth.users where id = ${student} for key share`
        await of`update public.consents set withdrawn_at = now() where user_id = ${student}`
      },
      deletes: (of) => of`select private.purge_kind('results', now(), 5000)`,
    }
    const [locking, ...racing] = connections
    await locking.sql`begin`
    await locking.sql`select from public.students where user_id = ${student} for update`
    const racers = names.map((name, index) => {
      const connection = racing[index] ?? locking
      return new Racer(sql, connection, name, () => steps[name]?.(connection.sql))
    })
    for (const racer of racers) {
      await racer.open()
      racer.go()
      await racer.isBlockedOrDone()
    }
    await locking.sql`commit`
    expect(await Promise.all(racers.map(({ ended }) => ended))).toEqual([null, null])
    const [row] = await sql`
      select s.last_score::float8 as shown,
        (select f.score::float8 from checkin.fusion_results f where f.user_id = ${student} order by created_at desc limit 1) as last
      from public.students s where s.user_id = ${student}`
    expect(row?.shown).toBe(row?.last ?? null)
    // What the retention of another day deletes.
    await sql`select private.purge_kind('results', now(), 5000)`
    const after = await sql`select last_score from public.students where user_id = ${student}`
    expect([...after]).toEqual([{ last_score: null }])
  })
})
