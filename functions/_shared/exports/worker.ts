import * as z from 'zod'
import type { Database } from '../database.ts'
import { describeError, log } from '../log.ts'
import { inRounds } from '../rounds.ts'
import type { ObjectStore } from './storage.ts'
import { claimVolume, failVolume, finishVolume, releaseVolume, type Volume } from './volume.ts'

/** Webhook payload that the database sends when volumes may be due; the queue knows which. */
export const exportWebhook = z.object({
  type: z.literal('INSERT').describe('What happened to the row'),
  schema: z.literal('private').describe('Schema of the table'),
  table: z.literal('export_volumes').describe('The queue'),
})

type ExportWorker = {
  database: Database
  store: ObjectStore
  /** Announces by the event `beforeunload` that it is about to end the isolate. */
  platform: Pick<EventTarget, 'addEventListener'>
}

/**
 * A worker of exports: woken by a webhook it builds one volume, whose end dispatches the next, so that the platform, which sends
 * no webhook to an isolate that has used half of its CPU, decides which isolate has room for it. A webhook that arrives while a
 * volume is built waits for its end: memory is for one.
 */
export function exportWorker({ database, store, platform }: ExportWorker): () => Promise<void> {
  let building: Volume | null = null

  platform.addEventListener('beforeunload', () => {
    if (!building) return
    log('warn', 'export_volume_released', about(building))
    void releaseVolume(database, building).catch((error) =>
      log('error', 'export_volume_lost', describeError(error)),
    )
  })

  return inRounds(platform, () => async (hasEnded) => {
    if (hasEnded()) return
    building = await claimVolume(database)
    try {
      if (building) await attempt(database, store, building)
    } finally {
      building = null
    }
  })
}

async function attempt(database: Database, store: ObjectStore, volume: Volume): Promise<void> {
  const started = performance.now()
  try {
    // The API knows this worker's webhook alone, and need not load what builds a volume.
    const { buildVolume } = await import('./build.ts')
    const built = await buildVolume(database, store, volume)
    const stored = await finishVolume(database, volume, built)
    log('info', stored ? 'export_volume_built' : 'export_volume_superseded', {
      ...about(volume),
      bytes: built.bytes,
      left_out: built.leftOut,
      ms: Math.round(performance.now() - started),
    })
  } catch (error) {
    log('warn', 'export_volume_failed', { ...about(volume), ...describeError(error) })
    await failVolume(database, volume, 'worker_error')
  }
}

function about({ export_id, ordinal, content, attempts }: Volume) {
  return { export: export_id, volume: ordinal, content, attempt: attempts }
}
