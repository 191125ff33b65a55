import { createHmac } from 'node:crypto'
import * as z from 'zod'
import type { Database } from '../database.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { type Account, ask, jsonOf, PROBE_HEADER, ProbeBlocked, type Target } from './target.ts'

/** Where probes run, and what proves that they are the project's own. */
export type ProbeProject = {
  supabaseUrl: string
  publishableKey: string
  pipelineSecret: string
  database: Database
  supabase: ProjectClient
}

/** The run that a target is for, with the ids that the database has chosen for its accounts. */
export type ProbeRun = { run_id: string; attacker: string; victim: string }

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

/**
 * Makes the accounts of a run, or signs in to them where an earlier worker has made them: neither passwords nor links are
 * stored, they follow from the project's secret and the run. No message is sent; the addresses lead nowhere (RFC 2606).
 */
export async function prepareTarget(project: ProbeProject, run: ProbeRun): Promise<Target> {
  const secret = (purpose: string) =>
    createHmac('sha256', project.pipelineSecret).update(`${purpose} ${run.run_id}`).digest('hex')
  const links = { open: secret('probe-link'), expired: secret('probe-expired-link') }
  const account = (part: 'attacker' | 'victim'): Account => ({
    id: run[part],
    email: `${part}-${run.run_id.replaceAll('_', '-')}@probe.invalid`,
    password: `a1${secret(`probe-${part}`)}`,
    token: '',
  })
  const target: Target = {
    ...{ supabaseUrl: project.supabaseUrl, publishableKey: project.publishableKey },
    ...{ database: project.database, supabase: project.supabase, links },
    attacker: account('attacker'),
    victim: account('victim'),
    proof: `${run.run_id} ${createHmac('sha256', project.pipelineSecret).update(`${PROBE_HEADER} ${run.run_id}`).digest('hex')}`,
  }
  await makeAccount(project, target.attacker)
  await makeAccount(project, target.victim)
  await project.database`
    select private.furnish_probe_victim(
      ${target.victim.id}, private.link_token_hash(${links.open}), private.link_token_hash(${links.expired})
    )`
  target.attacker.token = (await signIn(target, target.attacker)).access_token
  target.victim.token = (await signIn(target, target.victim)).access_token
  return target
}

async function makeAccount(
  { database, supabase }: ProbeProject,
  { id, email, password }: Account,
): Promise<void> {
  const [existing] = await database`select from auth.users where id = ${id}`
  if (existing) return
  const { error } = await supabase.auth.admin.createUser({ id, email, password, email_confirm: true })
  if (error) throw new ProbeBlocked('account_not_created')
}

/** Signs in to an account once more. Throws `ProbeBlocked` when Auth does not let it. */
export async function signIn(target: Target, { email, password }: Account) {
  const answer = await ask(target, 'POST', '/auth/v1/token?grant_type=password', {
    body: { email, password },
  })
  const signedIn = tokens.safeParse(jsonOf(answer))
  if (!signedIn.success) throw new ProbeBlocked('sign_in_failed')
  return signedIn.data
}
