import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { listen } from '../postgres/listen.ts'
import { type QueuedRequest, send } from './request.ts'

export interface NetOptions {
  /** Superuser connection to the database whose `net.http_request_queue` is to be sent. */
  adminUrl: string
  log: (line: string) => void
}

export interface Sender {
  /** Ends it; requests under way are cut off and get no answer. */
  stop(): Promise<void>
}

const pollMs = 2_000
const maxParallel = 32
/** pg_net.ttl */
const keepAnswers = '6 hours'

/**
 * Plays pg_net's background worker: takes requests off `net.http_request_queue`, sends them, and writes the
 * answers to `net._http_response`. A request is off the queue before it is sent, hence sent once at most.
 * Does nothing while pg_net is not created.
 */
export function startNet({ adminUrl, log }: NetOptions): Sender {
  const sql = postgres(adminUrl, {
    max: 4,
    onnotice: () => {},
    backoff: () => 0.2,
    connection: { application_name: 'pg_net' },
  })
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  let wake = Promise.withResolvers<void>()
  let down = false
  const bell = listen(adminUrl, 'net_http_requests', () => wake.resolve())
  const finished = loop()
  return { stop }

  async function loop(): Promise<void> {
    let tidiedAt = Number.NEGATIVE_INFINITY
    while (!ending.signal.aborted) {
      wake = Promise.withResolvers()
      try {
        const free = maxParallel - underWay.size
        const requests = free > 0 ? await takeRequests(sql, free) : []
        for (const request of requests) begin(request)
        if (performance.now() - tidiedAt > 60_000) {
          await tidy(sql)
          tidiedAt = performance.now()
        }
        if (down) log('net: the database is back')
        down = false
        if (requests.length > 0) continue
      } catch (error) {
        if (!down && !ending.signal.aborted) log(`net: waiting for the database (${error})`)
        down = true
      }
      await Promise.race([
        wake.promise,
        sleep(down ? 200 : pollMs, undefined, { signal: ending.signal }),
      ]).catch(() => {})
    }
  }

  function begin(request: QueuedRequest): void {
    const exchange = deliver(request).finally(() => {
      underWay.delete(exchange)
      wake.resolve()
    })
    underWay.add(exchange)
  }

  async function deliver(request: QueuedRequest): Promise<void> {
    const answer = await send(request, ending.signal)
    while (!ending.signal.aborted) {
      try {
        await sql`
          insert into net._http_response
            (id, status_code, content_type, headers, content, timed_out, error_msg)
          values (
            ${request.id}, ${answer.statusCode}, ${answer.contentType}, ${answer.headers && sql.json(answer.headers)},
            ${answer.content}, ${answer.timedOut}, ${answer.error}
          )`
        return
      } catch (error) {
        if (error instanceof postgres.PostgresError && !error.code.startsWith('57P')) {
          log(`net: the answer to request ${request.id} could not be stored: ${error.message}`)
          return
        }
        await sleep(200)
      }
    }
  }

  async function stop(): Promise<void> {
    ending.abort()
    wake.resolve()
    await bell.stop()
    await finished
    await Promise.all(underWay)
    await sql.end({ timeout: 1 })
  }
}

async function takeRequests(sql: postgres.Sql, limit: number): Promise<QueuedRequest[]> {
  if (!(await isCreated(sql))) return []
  return sql<QueuedRequest[]>`
    delete from net.http_request_queue
    where id in (select id from net.http_request_queue order by id limit ${limit} for update skip locked)
    returning id, method, url, headers, body, timeout_milliseconds as "timeoutMs"`
}

async function tidy(sql: postgres.Sql): Promise<void> {
  if (!(await isCreated(sql))) return
  await sql`delete from net._http_response where created < now() - ${keepAnswers}::interval`
}

async function isCreated(sql: postgres.Sql): Promise<boolean> {
  const rows = await sql`select from pg_extension where extname = 'pg_net'`
  return rows.length > 0
}
