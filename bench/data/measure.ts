import postgres, { type Sql } from 'postgres'
import { median, percentile } from '../../harness/measuring/figures.ts'
import { type Caller, findCallers, QUERIES, type Query, STUDENT_ROWS } from './queries.ts'

type Timing = { medianMs: number; p95Ms: number }

/** A query in one database, as the API's role and, where it has a counterpart, as the owner. */
export type Measured = {
  query: string
  isLimited: boolean
  students: number
  api: Timing
  owner: Timing | null
}

type Subject = { students: number; url: string }
type As = 'authenticated' | 'postgres'

/** Uncounted runs at the start, in which plans, caches and statistics settle. */
const WARM_UP = 60

/**
 * Times every query in every database, as both roles, alternately, so that other load on the machine affects all of them
 * alike. Each runs in a transaction that begins as PostgREST's do; only the query itself is timed, at the client.
 */
export async function measure(subjects: readonly Subject[], repeats: number): Promise<Measured[]> {
  const opened = await Promise.all(subjects.map(open))
  try {
    const measured: Measured[] = []
    for (const query of QUERIES) {
      const timings = opened.flatMap((database) =>
        (query.asOwner ? (['authenticated', 'postgres'] as const) : (['authenticated'] as const)).map(
          (as) => ({
            database,
            as,
            times: [] as number[],
          }),
        ),
      )
      for (let repeat = -WARM_UP; repeat < repeats; repeat++) {
        // The order rotates too, because whoever runs first finds the processor's caches colder.
        for (let place = 0; place < timings.length; place++) {
          const timed = timings[(place + repeat + WARM_UP) % timings.length]
          if (!timed) continue
          const callers = timed.database.callers[query.caller]
          const caller = callers[(repeat + WARM_UP) % callers.length]
          if (!caller) throw new Error(`There is no ${query.caller}`)
          const took = await timeOf(timed.database[timed.as], query, caller, timed.as)
          if (repeat >= 0) timed.times.push(took)
        }
      }
      for (const database of opened) {
        const timingAs = (as: As) =>
          timings.find((timed) => timed.database === database && timed.as === as)?.times
        const [api, owner] = [timingAs('authenticated'), timingAs('postgres')]
        measured.push({
          query: query.name,
          isLimited: query.isLimited,
          students: database.students,
          api: timing(api ?? []),
          owner: owner ? timing(owner) : null,
        })
      }
    }
    return measured
  } finally {
    for (const database of opened) {
      await database.authenticated.end()
      await database.postgres.end()
    }
  }
}

/** One connection per role, because a prepared statement is planned for one role. */
async function open({ students, url }: Subject) {
  const connect = () => postgres(url, { max: 1, onnotice: () => {} })
  const [authenticated, owner] = [connect(), connect()]
  await owner.unsafe(STUDENT_ROWS)
  const callers = await findCallers(owner)
  const ids = Object.values(callers).flatMap((people) => people.map(({ id }) => id))
  await owner`
    insert into auth.sessions (id, user_id) select id, id from unnest(${ids}::uuid[]) as id on conflict do nothing`
  return { students, authenticated, postgres: owner, callers }
}

async function timeOf(sql: Sql, query: Query, caller: Caller, as: As): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`
      select
        set_config('role', ${as}, true),
        set_config('request.jwt.claims', ${JSON.stringify({ sub: caller.id, session_id: caller.id, role: 'authenticated' })}, true)`
    await query.prepare?.(tx, caller)
    const run = as === 'postgres' && query.asOwner ? query.asOwner : query.run
    const began = performance.now()
    const [row] = await run(tx, caller)
    const took = performance.now() - began
    if (String(row?.body).length < query.minimumLength) {
      throw new Error(`${query.name} returned ${String(row?.body).slice(0, 200)}`)
    }
    return took
  })
}

function timing(times: number[]): Timing {
  return { medianMs: median(times), p95Ms: percentile(times, 0.95) }
}
