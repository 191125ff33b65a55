import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { connect, listen } from './postgres/connections.ts'

export interface NetOptions {
  /** Superuser connection to the database whose `net.http_request_queue` is to be sent. */
  adminUrl: string
  log: (line: string) => void
}

export interface Sender {
  /** Ends it; requests of the batch under way are cut off, and sent again at the next start. */
  stop(): Promise<void>
}

/** pg_net.batch_size */
const batchSize = 200
const restMs = 1_000
/** pg_net.ttl */
const keepResponses = '6 hours'

/**
 * Plays pg_net's background worker, with its stalls: takes up to 200 requests off `net.http_request_queue`, sends them
 * all at once, and takes no more until the slowest of them has ended. A batch is one transaction, so its responses are
 * seen in `net._http_response` together at its end; one that breaks off is sent again. After each batch it rests for up
 * to a second; the first request that is queued since it last awoke cuts that short. Does nothing while pg_net is not
 * created.
 *
 * Source: `pg_net_worker` in src/worker.c of supabase/pg_net.
 */
export function startNet({ adminUrl, log }: NetOptions): Sender {
  const sql = connect(adminUrl, {
    max: 2,
    onnotice: () => {},
    backoff: () => 0.2,
    connection: { application_name: 'pg_net' },
  })
  const ending = new AbortController()
  let shouldWake = true
  let notified = Promise.withResolvers<void>()
  let down = false
  const listener = listen(adminUrl, 'net_http_requests', wake)
  const finished = loop()
  return {
    async stop() {
      ending.abort()
      notified.resolve()
      await listener.stop()
      await finished
      await sql.end({ timeout: 1 })
    },
  }

  function wake(): void {
    if (shouldWake) return
    shouldWake = true
    notified.resolve()
  }

  async function loop(): Promise<void> {
    while (!ending.signal.aborted) {
      if (!shouldWake) await notified.promise
      notified = Promise.withResolvers()
      shouldWake = false
      await emptyQueue()
    }
  }

  async function emptyQueue(): Promise<void> {
    let sent = 0
    do {
      sent = await sendBatch()
      await Promise.race([notified.promise, pause(restMs)])
      notified = Promise.withResolvers()
    } while (sent > 0 && !ending.signal.aborted)
  }

  /** Tries until the database is there. */
  async function sendBatch(): Promise<number> {
    while (!ending.signal.aborted) {
      try {
        const sent = (await isCreated(sql)) ? await sql.begin((batch) => exchange(batch, ending.signal)) : 0
        if (down) log('net: the database is back')
        down = false
        return sent
      } catch (error) {
        if (!down && !ending.signal.aborted) log(`net: waiting for the database (${error})`)
        down = true
        await pause(200)
      }
    }
    return 0
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: ending.signal }).catch(() => {})
  }
}

/** Sends the next requests and stores their responses; returns how many there were. Throws when it is to end. */
async function exchange(sql: postgres.TransactionSql, ending: AbortSignal): Promise<number> {
  await sql`
    delete from net._http_response where ctid = any(array(
      select ctid from net._http_response where created < now() - ${keepResponses}::interval limit ${batchSize}
    ))`
  const requests = await sql<QueuedRequest[]>`
    delete from net.http_request_queue
    where id in (select id from net.http_request_queue order by id limit ${batchSize})
    returning id, method, url, headers, body, timeout_milliseconds as "timeoutMs"`
  const responses = await Promise.all(requests.map((request) => send(request, ending)))
  ending.throwIfAborted()
  const rows = requests.flatMap(({ id }, index) => {
    const response = responses[index]
    if (!response) return []
    return {
      id,
      status_code: response.statusCode,
      content_type: response.contentType,
      headers: response.headers && sql.json(response.headers),
      // Text of Postgres cannot hold a NUL; pg_net's ends there.
      content: response.content?.split('\0', 1)[0] ?? null,
      timed_out: response.timedOut,
      error_msg: response.error,
    }
  })
  if (rows.length > 0) await sql`insert into net._http_response ${sql(rows)}`
  return rows.length
}

async function isCreated(sql: postgres.Sql): Promise<boolean> {
  const rows = await sql`select from pg_extension where extname = 'pg_net'`
  return rows.length > 0
}

/** A row of `net.http_request_queue`. */
export interface QueuedRequest {
  id: string
  method: string
  url: string
  headers: Record<string, string> | null
  body: Uint8Array | null
  timeoutMs: number
}

/** A row of `net._http_response`: either a status with its content, or an error. */
export interface Outcome {
  statusCode: number | null
  contentType: string | null
  headers: Record<string, string> | null
  content: string | null
  timedOut: boolean
  error: string | null
}

/** Sends one request, without following redirects, within its own time limit. Never rejects. */
export async function send(request: QueuedRequest, ending: AbortSignal): Promise<Outcome> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { 'user-agent': 'pg_net/0.20.0', ...request.headers },
      body: request.body ? new Uint8Array(request.body) : null,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, ending]),
    })
    return {
      statusCode: response.status,
      contentType: response.headers.get('content-type'),
      headers: Object.fromEntries(response.headers),
      content: await response.text(),
      timedOut: false,
      error: null,
    }
  } catch (error) {
    return {
      statusCode: null,
      contentType: null,
      headers: null,
      content: null,
      timedOut: timeout.aborted,
      error: timeout.aborted ? `Timeout of ${request.timeoutMs} ms reached` : reason(error),
    }
  }
}

/** fetch says only "fetch failed"; why is in its cause. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reason(error.cause) : error.message || error.name
}
