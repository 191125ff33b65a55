import { beforeAll, describe, expect, inject, test } from 'vitest'
import { scored, speech, startWith } from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { dose } from '../../depth.ts'

const project = inject('project')

/**
 * How far a feature of the same speech may lie from the wav's, relative to its value (`ratio`) or in its own unit
 * (`units`), after lossy coding. Jitter, shimmer and the spectral measures are what a codec changes most.
 */
const TOLERANCES: Record<string, { ratio?: number; units?: number }> = {
  f0_mean_hz: { ratio: 0.02 },
  f0_sd_semitones: { units: 0.5 },
  f0_range_semitones: { units: 1.5 },
  intensity_mean_db: { units: 1 },
  intensity_sd_db: { units: 1.5 },
  voiced_fraction: { units: 0.05 },
  phonation_ratio: { units: 0.06 },
  speech_rate_syllables_per_s: { ratio: 0.15 },
  hnr_db: { units: 3 },
  cpps_db: { units: 2.5 },
  duration_s: { units: 0.12 },
}

async function featuresOf(name: string): Promise<Record<string, number | null>> {
  const student = await newStudent(project, ['audio'])
  const { id } = await startWith(project, student, { audio: speech(name) })
  await scored(project, student, id)
  const { data, error } = await student.client.schema('checkin').from('audio_analysis').select('*').single()
  if (error) throw error
  return data as unknown as Record<string, number | null>
}

let wav: Record<string, number | null>

beforeAll(async () => {
  wav = await featuresOf('short.wav')
})

describe('the same recording', () => {
  test.each(dose(['webm'], ['m4a', 'webm', 'ogg', 'mp3', 'flac']))(
    'as %s gives the features that it gives as wav',
    async (container) => {
      const features = await featuresOf(`short.${container}`)
      for (const [name, { ratio = 0, units = 0 }] of Object.entries(TOLERANCES)) {
        const expected = wav[name] ?? Number.NaN
        const difference = Math.abs((features[name] ?? Number.NaN) - expected)
        expect(difference, name).toBeLessThanOrEqual(Math.abs(expected) * ratio + units)
      }
    },
  )
})
