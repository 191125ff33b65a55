import * as z from 'zod'
import { asJson, type Database } from '../database.ts'
import { describeError, log } from '../log.ts'
import { inRounds } from '../rounds.ts'
import { type ProbeProject, type ProbeRun, prepareTarget } from './accounts.ts'
import { CATALOGUE, type ProbeId } from './catalogue.ts'
import { ProbeBlocked, type Target } from './target.ts'

/** Webhook payload that the database sends when probes may be due; the queue knows which. */
export const probeWebhook = z.object({
  type: z.literal('INSERT').describe('What happened to the row'),
  schema: z.literal('public').describe('Schema of the table'),
  table: z.literal('security_test_results').describe('The queue'),
})

/** A probe as a worker claims it. */
type Claimed = ProbeRun & { probe: ProbeId; attempts: number }

/**
 * A worker of security tests: woken by a webhook it carries out one probe, whose end dispatches the next, so that the platform
 * decides which isolate has room for it. What was signed in to is kept for the next probe of the same run.
 *
 * @param platform announces by the event `beforeunload` that it is about to end the isolate
 */
export function probeWorker(
  project: ProbeProject,
  platform: Pick<EventTarget, 'addEventListener'>,
): () => Promise<void> {
  let kept: { run: string; target: Promise<Target> } | null = null
  const targetOf = (claimed: Claimed) => {
    if (kept?.run !== claimed.run_id) kept = { run: claimed.run_id, target: prepareTarget(project, claimed) }
    return kept.target
  }
  return inRounds(platform, () => async (hasEnded) => {
    if (hasEnded()) return
    const claimed = await claimProbe(project.database)
    if (!claimed) return
    const carriedOut = await attempt(project.database, claimed, () => targetOf(claimed))
    // A session that has ended, or an account that was not made, may be why.
    if (!carriedOut) kept = null
  })
}

/** Carries out a probe and stores what it found; false when it could not be carried out. */
async function attempt(
  database: Database,
  { run_id, probe, attempts }: Claimed,
  prepare: () => Promise<Target>,
): Promise<boolean> {
  const started = performance.now()
  const about = { run: run_id, probe, attempt: attempts }
  try {
    const carryOut = await CATALOGUE[probe].load()
    const report = await carryOut(await prepare())
    const [{ stored }] = await database<[{ stored: boolean }]>`
      select private.finish_security_probe(
        ${run_id}, ${probe}, ${attempts}::smallint, ${report.attacks}, ${asJson(database, report.findings)}
      ) as stored`
    log(report.findings.length > 0 ? 'error' : 'info', stored ? 'probe_ended' : 'probe_superseded', {
      ...about,
      attacks: report.attacks,
      faults: report.findings.length,
      ms: Math.round(performance.now() - started),
    })
    return true
  } catch (error) {
    const code = error instanceof ProbeBlocked ? error.code : 'worker_error'
    log('warn', 'probe_failed', { ...about, code, ...describeError(error) })
    await database`select private.fail_security_probe(${run_id}, ${probe}, ${attempts}::smallint, ${code})`
    return false
  }
}

async function claimProbe(database: Database): Promise<Claimed | null> {
  const [claimed] = await database<Claimed[]>`select * from private.claim_security_probe()`
  return claimed ?? null
}
