import { describe, expect, inject, test, vi } from 'vitest'
import { call } from '../client/call.ts'
import { dose } from '../depth.ts'
import { ended, faces, speech, startWith, transcriptOf } from '../factories/check-ins.ts'
import { newStudent } from '../factories/students.ts'
import { serviceClient, withDatabase } from '../stack/project.ts'

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

const every = Object.entries(STEPS).flatMap(([kind, steps]) =>
  steps.flatMap((step) => STATES.map((state) => [kind as Kind, step, state] as const)),
)
const chosen = [
  ['audio', 'audio_slice', 'running'],
  ['camera', 'visual_merge', 'queued'],
  ['text', 'fusion', 'queued'],
] as const

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
