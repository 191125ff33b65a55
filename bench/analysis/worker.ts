import process from 'node:process'
import type { AudioSliceOutcome } from '../../functions/_shared/audio/slices.ts'
import { assetLoader, openObject, readObject } from '../../functions/_shared/platform/storage.ts'
import type { CrisisModel } from '../../functions/_shared/text/crisis/encoder.ts'
import type { ImageOutcome } from '../../functions/_shared/visual/outcome.ts'
import { readTextFileSync, writeTextFileSync } from '../../harness/measuring/deno.ts'
import type { Cost } from '../../harness/measuring/meter.ts'
import { meter } from '../../harness/measuring/meter.ts'
import type { Step, Unit, UnitResult } from './unit.ts'

/** Runs in Deno: does what a worker of the pipeline does for each request of a unit, and prints what it cost. */
const read = meter()
const unit: Unit = JSON.parse(process.argv[2] ?? '')
const store = { supabaseUrl: unit.storageUrl, secretKey: 'none' }
const loadAsset = assetLoader(store)

// Loaded for their cost alone: every worker of the pipeline starts with them.
await import('../../functions/_shared/database.ts')
await import('../../functions/_shared/http/serve.ts')
await import('../../functions/_shared/http/worker.ts')
await import('../../functions/_shared/pipeline/worker.ts')

/** Kept as the worker keeps it. */
let crisisModel: CrisisModel | null = null

/** Each as it travels through the database to its merge. */
let outcomes: string[] = []
let findings: unknown = null
const runs: Cost[][] = []
for (let run = 0; run < unit.runs; run++) {
  outcomes = unit.outcomesFrom ? JSON.parse(readTextFileSync(unit.outcomesFrom)) : []
  const costs: Cost[] = []
  for (const step of unit.steps) {
    findings = await perform(step)
    costs.push(read())
  }
  runs.push(costs)
}
if (unit.outcomesTo) writeTextFileSync(unit.outcomesTo, JSON.stringify(outcomes))
console.log(JSON.stringify({ runs, findings } satisfies UnitResult))
// Resources of the WebAssembly modules must not keep the process alive.
process.exit()

async function perform(step: Step): Promise<unknown> {
  switch (step.kind) {
    case 'probe': {
      const { probeRecording } = await import('../../functions/_shared/audio/probe.ts')
      return await probeRecording(await recording(step.path))
    }
    case 'audio_slice': {
      const { analyzeSlice } = await import('../../functions/_shared/audio/analyze-slice.ts')
      const outcome = await analyzeSlice(await recording(step.path), step.info, step.slice, loadAsset)
      outcomes.push(JSON.stringify(outcome))
      return null
    }
    case 'audio_merge': {
      const { mergeSlices } = await import('../../functions/_shared/audio/merge-slices.ts')
      const slices: AudioSliceOutcome[] = outcomes.map((outcome) => JSON.parse(outcome))
      return mergeSlices(slices, step.durationS)
    }
    case 'visual_group': {
      const { analyzeImage } = await import('../../functions/_shared/visual/analyze-image.ts')
      const { loadFaceModels } = await import('../../functions/_shared/visual/face-models.ts')
      for (const path of step.paths) {
        const outcome = await analyzeImage(await bytes(path), await loadFaceModels(loadAsset))
        outcomes.push(JSON.stringify(outcome))
      }
      return null
    }
    case 'visual_merge': {
      const { mergeImages } = await import('../../functions/_shared/visual/merge-images.ts')
      const images: ImageOutcome[] = outcomes.map((outcome) => JSON.parse(outcome))
      return mergeImages(images, step.expected)
    }
    case 'text': {
      const { analyzeText } = await import('../../functions/_shared/text/analyze.ts')
      return analyzeText(new TextDecoder().decode(await bytes(step.path)))
    }
    case 'sentences': {
      const { CRISIS_ASSET, loadCrisisModel, readSentences } = await import(
        '../../functions/_shared/text/crisis/encoder.ts'
      )
      crisisModel ??= loadCrisisModel(await loadAsset(CRISIS_ASSET))
      return readSentences(crisisModel, new TextDecoder().decode(await bytes(step.path)))
    }
  }
}

async function recording(path: string) {
  const object = await openObject(store, 'media', path)
  if (!object) throw new Error(`The storage holds no ${path}`)
  return object
}

async function bytes(path: string): Promise<Uint8Array> {
  const object = await readObject(store, 'media', path)
  if (!object) throw new Error(`The storage holds no ${path}`)
  return object.bytes
}
