import { describe, expect, test } from 'vitest'
import type { Database } from '../../../functions/_shared/database.ts'
import { Isolate } from '../../../functions/_shared/pipeline/isolate.ts'
import type { Job } from '../../../functions/_shared/pipeline/job.ts'
import type { JobKind } from '../../../functions/_shared/pipeline/job-kinds.ts'
import { jobWorker } from '../../../functions/_shared/pipeline/worker.ts'

const platform = new EventTarget()
const worker = { name: 'pipeline-audio', platform } as const
const OWN_KINDS = ['audio_slice', 'audio_merge'] as const
const announced = (id: string) => ({
  type: 'INSERT' as const,
  schema: 'private' as const,
  table: 'analysis_jobs' as const,
  record: { id },
})

describe('a worker', () => {
  test('goes on while there are jobs, and claims only kinds that its isolate has room for', async () => {
    const queue = queueOf(3)
    const { work } = jobWorker(queue.database, { ...worker, isolateCpuS: 100_000, run })(announced('a'))
    await work
    expect(queue.finished).toEqual(['job 1', 'job 2', 'job 3'])
    expect(queue.claims.map(({ announced }) => announced)).toEqual(['a', null, null, null])
    expect(queue.claims.at(-1)?.kinds).toBe('{audio_slice,audio_merge,fusion}')
  })

  test('runs one job for a webhook that reaches it and leaves the others where there is no room', async () => {
    const queue = queueOf(3)
    const start = jobWorker(queue.database, { ...worker, isolateCpuS: 0.01, run })
    await start(announced('a')).work
    expect(queue.finished).toEqual(['job 1'])
    expect(queue.claims.at(-1)).toEqual({ kinds: '{}', announced: null })
    await start(announced('b')).work
    expect(queue.finished).toEqual(['job 1', 'job 2'])
  })

  test('scores the check-in whose last step it has ended, whatever it analyses', async () => {
    const queue = queueOf(1)
    queue.add('fusion of the check-in', 'fusion')
    await jobWorker(queue.database, { ...worker, isolateCpuS: 100_000, run })(announced('a')).work
    expect(queue.finished).toEqual(['job 1'])
    expect(queue.fused).toEqual(['fusion of the check-in'])
  })

  test('declines a webhook while it is busy, so that its job does not wait behind the running one', async () => {
    const queue = queueOf(1)
    const held = Promise.withResolvers<object>()
    const start = jobWorker(queue.database, { ...worker, isolateCpuS: 2, run: () => held.promise })
    const first = start(announced('a'))
    await start(announced('b')).work
    expect(queue.declined).toEqual(['b'])
    expect(queue.finished).toEqual([])
    held.resolve({})
    await first.work
    expect(queue.finished).toEqual(['job 1'])
  })

  test('claims again what a webhook announced that it declined while it found nothing', async () => {
    const queue = queueOf(1)
    const start = jobWorker(
      ((texts: TemplateStringsArray, ...values: unknown[]) => {
        const found = queue.database(texts, ...(values as never[]))
        if (queue.claims.length === 2 && queue.declined.length === 0) {
          queue.add('job 2')
          start(announced('job 2'))
        }
        return found
      }) as unknown as Database,
      { ...worker, isolateCpuS: 100_000, run },
    )
    await start(announced('job 1')).work
    expect(queue.declined).toEqual(['job 2'])
    expect(queue.finished).toEqual(['job 1', 'job 2'])
  })

  test('gives its job back when the platform is about to end the isolate', async () => {
    const queue = queueOf(1)
    const held = Promise.withResolvers<object>()
    const started = Promise.withResolvers<void>()
    const { work } = jobWorker(queue.database, {
      ...worker,
      isolateCpuS: 2,
      run: () => {
        started.resolve()
        return held.promise
      },
    })(announced('a'))
    await started.promise
    platform.dispatchEvent(new Event('beforeunload'))
    await expect.poll(() => queue.released).toEqual(['job 1'])
    held.resolve({})
    await work
    expect(queue.claims).toHaveLength(1)
  })
})

describe('an isolate', () => {
  test('has room for what fits into four fifths of its CPU', () => {
    const used = new Isolate(OWN_KINDS, 1).usedS
    expect(used).toBeGreaterThan(0)
    expect(new Isolate(OWN_KINDS, (used + 60) / 0.8).kindsWithRoom()).toEqual(['audio_slice', 'audio_merge'])
    expect(new Isolate(OWN_KINDS, used / 0.8).kindsWithRoom()).toEqual([])
  })
})

const run = async () => ({})

/** What a fusion reads of a check-in of which no analysis gave anything. */
const NOTHING_ANALYSED = {
  ...{ audio: null, visual: null, text: null, mood_score: null, baseline: null, baseline_version: 0 },
  crisis: { level: 'none', rule: null },
  known_risk: 'none',
  missing: { audio: 'audio_unreadable', visual: 'no_consent', text: 'no_consent' },
}

/** A queue in memory that answers a worker's statements, and records them. */
function queueOf(jobs: number) {
  const waiting = Array.from({ length: jobs }, (_, index) => job(`job ${index + 1}`))
  const calls = {
    claims: [] as { kinds: unknown; announced: unknown }[],
    finished: [] as unknown[],
    fused: [] as unknown[],
    declined: [] as unknown[],
    released: [] as unknown[],
  }
  const respond = (statement: string, values: unknown[]): unknown[] => {
    if (statement.includes('private.claim_job')) {
      const [, kinds, announced] = values
      calls.claims.push({ kinds, announced })
      const next = kinds === '{}' ? undefined : waiting.shift()
      return next ? [next] : []
    }
    if (statement.includes('private.decline_job')) calls.declined.push(values[0])
    if (statement.includes('private.release_job')) calls.released.push(values[0])
    if (statement.includes('private.finish_job')) calls.finished.push(values[0])
    if (statement.includes('private.fusion_input')) return [{ snapshot: NOTHING_ANALYSED }]
    if (statement.includes('private.fail_check_in_for_job')) calls.fused.push(values[0])
    return [{ stored: true }]
  }
  const database = (texts: TemplateStringsArray, ...values: unknown[]) =>
    Promise.resolve(respond(texts.join('?'), values))
  const add = (id: string, kind: JobKind = 'audio_slice') => waiting.push({ ...job(id), kind })
  return { ...calls, add, database: database as unknown as Database }
}

function job(id: string): Job {
  return {
    id,
    check_in_id: 'c',
    unread_id: null,
    kind: 'audio_slice',
    ordinal: 0,
    input: {},
    attempts: 1,
    trace_id: null,
    lease_ms: 20_000,
  }
}
