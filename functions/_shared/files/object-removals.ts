import * as z from 'zod'
import type { Database } from '../database.ts'
import { log } from '../log.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { objectPath } from '../platform/object-address.ts'
import { inRounds } from '../rounds.ts'

/** Webhook payload that the database sends when removals may be due; `private.object_removals` knows which. */
export const removalWebhook = z.object({
  type: z.enum(['INSERT', 'UPDATE']).describe('What happened to a row'),
  schema: z.literal('private').describe('Schema of the table'),
  table: z.literal('object_removals').describe('The objects that wait'),
})

/** Objects that one request removes; Storage takes 1,000 at most. */
const BATCH = 500

/** The most that one round does, within a function's CPU; the next dispatch continues. */
const MAX_BATCHES = 40

type RemoverContext = {
  database: Database
  supabase: ProjectClient
  /** Announces by the event `beforeunload` that it is about to end the isolate. */
  platform: Pick<EventTarget, 'addEventListener'>
}
type Batch = { claim: string; bucket: string; names: string[] }

/**
 * A remover of objects: each call removes what is due and resolves when nothing is due any more. A call during a round joins
 * it, and the round looks once more before it ends. Any number may work at once; the database gives each object to one.
 */
export function objectRemover(context: RemoverContext): () => Promise<void> {
  return inRounds(context.platform, () => {
    let left = MAX_BATCHES
    return async (hasEnded) => {
      while (left > 0 && !hasEnded() && (await removeBatch(context))) left -= 1
      await reportFailing(context.database)
    }
  })
}

/** Removes the next objects that are due; false when there are none. */
async function removeBatch({ database, supabase }: RemoverContext): Promise<boolean> {
  const [batch] = await database<Batch[]>`select * from private.claim_object_removals(${BATCH})`
  if (!batch) return false
  // The names travel in the body, so that one that could lead elsewhere is removed as well.
  const { error } = await supabase.storage.from(objectPath(batch.bucket)).remove(batch.names)
  const code =
    error && ('statusCode' in error ? `storage_${error.statusCode ?? error.name}` : 'storage_unreachable')
  const [ended] = await database<[{ removed: number; failed: number }]>`
    select * from private.finish_object_removals(${batch.claim}, ${code})`
  log(ended.failed > 0 ? 'warn' : 'info', 'objects_removed', {
    bucket: batch.bucket,
    removed: ended.removed,
    failed: ended.failed,
    code,
  })
  return true
}

async function reportFailing(database: Database): Promise<void> {
  type Failing = { bucket: string; reason: string; error_code: string; objects: string }
  for (const failing of await database<Failing[]>`select * from private.report_failing_removals()`) {
    log('error', 'objects_not_removed', { ...failing, objects: Number(failing.objects) })
  }
}
