import { setTimeout } from 'node:timers/promises'
import { type AttackedStack, startAttackedStack } from '../../../harness/factories/attacked-stack.ts'
import { FROM_INSIDE } from './from-inside.ts'
import { INNOCENT } from './innocent.ts'
import { ON_CALLS } from './on-calls.ts'
import { ON_SIGN_IN } from './on-sign-in.ts'
import type { Attack, Play } from './plays.ts'

/** Attacks and innocent loads, as `npm run attacks:incidents` plays them. */
export const ATTACKS: readonly Attack[] = [...ON_SIGN_IN, ...ON_CALLS, ...FROM_INSIDE]

/** How long cron may take to open an incident, milliseconds: it looks every minute. */
const SOON_MS = 70_000

/** How long a block may take to be in force everywhere, milliseconds. */
const REFUSED_MS = 5000

/** What became of a play. */
export type Outcome = {
  play: string
  /** `rule type severity` of each incident that was active afterwards. */
  incidents: string[]
  /** Milliseconds until the first of them was there. */
  afterMs: number
  /** What is not as expected; null when all is. */
  problem: string | null
}

/** How incidents come about: at once by a call, or by cron within 70 s. */
export type Timing = 'at once' | 'by cron'

type ActiveIncident = { type: string; severity: string; rule: string; addresses: string[] }

/** Plays an attack and looks for its one incident. */
export async function playAttack(stack: AttackedStack, attack: Attack, timing: Timing): Promise<Outcome> {
  return play(stack, attack, timing, async (incidents) => {
    const [incident, ...others] = incidents
    if (!incident) return 'no incident'
    if (others.length > 0) return `${incidents.length} incidents`
    if (incident.type !== attack.type) return `type ${incident.type} instead of ${attack.type}`
    if (!attack.blocked) return null
    if (incident.addresses.length === 0) return 'no address was named'
    const until = performance.now() + REFUSED_MS
    for (const address of incident.addresses) {
      while (!(await isRefused(stack, address))) {
        if (performance.now() > until) return 'an address was not blocked'
        await setTimeout(200)
      }
    }
    return null
  })
}

/** Plays an innocent load, and expects nothing of it. */
export async function playInnocent(stack: AttackedStack, load: Play): Promise<Outcome> {
  return play(stack, load, 'at once', noIncident)
}

const noIncident = async (incidents: ActiveIncident[]) => (incidents.length === 0 ? null : 'an incident')

/** Plays loads one after another without a pause, leaves cron its time, and expects nothing of them. */
async function playTogether(stack: AttackedStack, loads: readonly Play[]): Promise<Outcome> {
  const run = async () => {
    const undos: (() => Promise<unknown>)[] = []
    for (const load of loads) {
      const undo = await load.run(stack)
      if (undo) undos.push(undo)
    }
    return async () => {
      for (const undo of undos) await undo()
    }
  }
  return play(stack, { name: `${loads.length} loads together`, run }, 'by cron', noIncident)
}

async function play(
  stack: AttackedStack,
  { name, run }: Play,
  timing: Timing,
  problemOf: (incidents: ActiveIncident[]) => Promise<string | null>,
): Promise<Outcome> {
  const undo = await run(stack)
  const start = performance.now()
  try {
    const incidents = await found(stack, timing)
    const afterMs = Math.round(performance.now() - start)
    const problem = await problemOf(incidents)
    return {
      play: name,
      incidents: incidents.map(({ rule, type, severity }) => `${rule} ${type} ${severity}`),
      afterMs,
      problem,
    }
  } finally {
    // What one attack leaves would count against the next.
    await Promise.resolve(undo?.()).finally(() => settle(stack))
  }
}

/** The incidents that are active once detection had its turn. */
async function found({ sql }: AttackedStack, timing: Timing): Promise<ActiveIncident[]> {
  const active = () => sql<ActiveIncident[]>`
    select type, severity, indicators ->> 'rule' as rule,
      coalesce((select array_agg(a) from jsonb_array_elements_text(indicators -> 'addresses') a), '{}') as addresses
    from public.security_incidents where ended_at is null`
  if (timing === 'at once') {
    // Postgres shares its counts of changes a second after they were made.
    await sql`select pg_stat_force_next_flush()`
    await sql`select * from private.detect_incidents()`
    return active()
  }
  const until = performance.now() + SOON_MS
  while (performance.now() < until) {
    const incidents = await active()
    if (incidents.length > 0) return incidents
    await setTimeout(1000)
  }
  return []
}

/** Whether the project refuses what comes from an address, in a function and in the data API. */
async function isRefused(stack: AttackedStack, address: string): Promise<boolean> {
  const paths = ['/functions/v1/api/auth/signin', '/rest/v1/profiles']
  const responses = await Promise.all(
    paths.map((path, index) =>
      stack.send(address.replace(/::$/, '::1'), path, index === 0 ? { method: 'POST', body: {} } : {}),
    ),
  )
  return responses.every(({ status }) => status === 403)
}

/** Ends incidents, so that the next play begins with none; what was seen by then does not count again. */
async function settle({ sql }: AttackedStack): Promise<void> {
  await sql`
    update public.security_incidents
    set status = 'resolved', timeline = timeline || private.incident_entry('changed')
    where ended_at is null`
  await sql`delete from private.security_events`
  await sql`delete from private.blocked_addresses`
}

/** Plays all, and prints what became of each. Exit code 1 when something is not as expected. */
async function main(): Promise<void> {
  const timing: Timing = process.argv.includes('--by-cron') ? 'by cron' : 'at once'
  const given = (name: string) =>
    process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const chosen = given('only')
  const wanted = ({ name }: Play) => chosen === undefined || name.includes(chosen)
  const from = Math.max(
    0,
    ATTACKS.findIndex(({ name }) => name === given('from')),
  )
  const stack = await startAttackedStack()
  let failed = 0
  const print = ({ play, incidents, afterMs, problem }: Outcome) => {
    if (problem !== null) failed++
    const what = incidents.join(', ') || 'none'
    console.log(
      `${problem === null ? 'ok  ' : 'FAIL'} ${play.padEnd(66)} ${String(afterMs).padStart(6)} ms  ${what}${problem === null ? '' : `  (${problem})`}`,
    )
  }
  try {
    await found(stack, 'at once')
    await settle(stack)
    console.log('Attacks: one incident each')
    for (const attack of ATTACKS.slice(from).filter(wanted)) print(await playAttack(stack, attack, timing))
    console.log('Innocent loads: none')
    const loads = INNOCENT.filter(wanted)
    if (timing === 'by cron') print(await playTogether(stack, loads))
    else for (const load of loads) print(await playInnocent(stack, load))
  } finally {
    await stack.stop()
  }
  console.log(failed === 0 ? 'All as expected.' : `${failed} not as expected.`)
  process.exitCode = failed === 0 ? 0 : 1
}

if (import.meta.main) await main()
