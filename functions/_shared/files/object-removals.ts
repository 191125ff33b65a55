import * as z from 'zod'
import type { Database } from '../database.ts'
import { log } from '../log.ts'
import type { ProjectClient } from '../supabase/clients.ts'

/** Webhook payload that the database sends when removals may be due; `private.object_removals` knows which. */
export const removalWebhook = z.object({
  type: z.enum(['INSERT', 'UPDATE']).describe('What happened to a row'),
  schema: z.literal('private').describe('Schema of the table'),
  table: z.literal('object_removals').describe('The objects that wait'),
})

/** Objects that one request removes; Storage takes 1,000 at most. */
const BATCH = 500

/** The most that one dispatch does, within a function's CPU and time; the next dispatch continues. */
const MAX_BATCHES = 40
const LONGEST_ROUND_MS = 90_000

type RemoverContext = { database: Database; supabase: ProjectClient }
type Batch = { claim: string; bucket: string; names: string[] }

/**
 * A remover of objects: each call removes what is due and resolves when nothing is due any more. A call during a round joins
 * it, and the round looks once more before it ends. Any number may work at once; the database gives each object to one.
 */
export function objectRemover(context: RemoverContext): () => Promise<void> {
  let round: Promise<void> | undefined
  let calledAgain = false

  async function work(): Promise<void> {
    const ends = performance.now() + LONGEST_ROUND_MS
    try {
      let batches = 0
      do {
        calledAgain = false
        while (batches < MAX_BATCHES && performance.now() < ends && (await removeBatch(context))) batches += 1
      } while (calledAgain && batches < MAX_BATCHES && performance.now() < ends)
      await reportFailing(context.database)
    } finally {
      round = undefined
    }
  }

  return () => {
    calledAgain = true
    round ??= work()
    return round
  }
}

/** Removes the next objects that are due; false when there are none. */
async function removeBatch({ database, supabase }: RemoverContext): Promise<boolean> {
  const [batch] = await database<Batch[]>`select * from private.claim_object_removals(${BATCH})`
  if (!batch) return false
  const { error } = await supabase.storage.from(batch.bucket).remove(batch.names)
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
