import postgres, { type Sql } from 'postgres'
import { median } from '../analysis/median.ts'
import { percentile } from '../percentile.ts'
import { type Asker, findAskers, QUERIES, type Query } from './queries.ts'

export type Timing = { medianMs: number; p95Ms: number }

/** A query in one database, as the API's role and, where it has a twin, as the owner. */
export type Measured = {
  query: string
  isBarred: boolean
  students: number
  api: Timing
  owner: Timing | null
}

type Subject = { students: number; url: string }
type As = 'authenticated' | 'postgres'

/** Runs before any is counted: plans, caches and statistics settle. */
const WARM_UP = 60

/**
 * Times every query in every database, as both roles, turn by turn, so that whatever else the machine does meets all
 * alike. Each runs in a transaction that begins as PostgREST's do; the time is the query's alone, at the client.
 */
export async function measure(subjects: readonly Subject[], repeats: number): Promise<Measured[]> {
  const opened = await Promise.all(subjects.map(open))
  try {
    const measured: Measured[] = []
    for (const query of QUERIES) {
      const turns = opened.flatMap((database) =>
        (query.twin ? (['authenticated', 'postgres'] as const) : (['authenticated'] as const)).map((as) => ({
          database,
          as,
          times: [] as number[],
        })),
      )
      for (let repeat = -WARM_UP; repeat < repeats; repeat++) {
        // The order turns too: who comes first finds the processor's caches colder.
        for (let place = 0; place < turns.length; place++) {
          const turn = turns[(place + repeat + WARM_UP) % turns.length]
          if (!turn) continue
          const askers = turn.database.askers[query.asker]
          const asker = askers[(repeat + WARM_UP) % askers.length]
          if (!asker) throw new Error(`There is no ${query.asker}`)
          const took = await timeOf(turn.database[turn.as], query, asker, turn.as)
          if (repeat >= 0) turn.times.push(took)
        }
      }
      for (const database of opened) {
        const timingAs = (as: As) => turns.find((turn) => turn.database === database && turn.as === as)?.times
        const [api, owner] = [timingAs('authenticated'), timingAs('postgres')]
        measured.push({
          query: query.name,
          isBarred: query.isBarred,
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

/** One connection for each role: a connection's prepared statements are planned for one. */
async function open({ students, url }: Subject) {
  const connect = () => postgres(url, { max: 1, onnotice: () => {} })
  const [authenticated, owner] = [connect(), connect()]
  return { students, authenticated, postgres: owner, askers: await findAskers(owner) }
}

async function timeOf(sql: Sql, query: Query, asker: Asker, as: As): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`
      select
        set_config('role', ${as}, true),
        set_config('request.jwt.claims', ${JSON.stringify({ sub: asker.id, role: 'authenticated' })}, true)`
    await query.prepare?.(tx, asker)
    const ask = as === 'postgres' && query.twin ? query.twin : query.run
    const began = performance.now()
    const [row] = await ask(tx, asker)
    const took = performance.now() - began
    if (String(row?.body).length < query.leastAnswer) {
      throw new Error(`${query.name} was answered with ${String(row?.body).slice(0, 200)}`)
    }
    return took
  })
}

function timing(times: number[]): Timing {
  return { medianMs: median(times), p95Ms: percentile(times, 0.95) }
}
