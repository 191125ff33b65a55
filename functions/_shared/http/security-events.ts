import type { Database } from '../database.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { describeError, log } from '../log.ts'
import { clientAddress } from '../platform/client-address.ts'
import { isByOtherPage } from './fetch-metadata.ts'

/** What the edge functions see that incidents are detected from; `private.security_events` says more. */
type SecurityEvent = {
  kind: 'token_refused' | 'access_refused' | 'rate_limited' | 'worker_secret_refused' | 'link_refused'
  /** Whose request it was; null when nobody is signed in. */
  account: string | null
  /** Where it came from; null where the gateway does not say, and of what a page of another site had a browser send. */
  address: string | null
  /** Code of the error that answered it. */
  reason: ErrorCode
  /** `pages`: a page of another site had a browser send it and nobody is signed in. It counts for nobody, and all of it together. */
  source: 'functions' | 'pages'
  /** What proves that a security test sent it, `x-security-probe`; the database knows whether it does. Such a request is not recorded. */
  proof: string | null
}

/** Errors that are events wherever they come from; a forged token is told by its class. */
const KINDS: { readonly [code in ErrorCode]?: SecurityEvent['kind'] } = {
  forbidden: 'access_refused',
  access_blocked: 'access_refused',
  rate_limited: 'rate_limited',
}

/** A token whose signature is not the project's. */
export class ForgedToken extends ServiceError {}

const waiting = new Map<string, { event: SecurityEvent; times: number }>()
let writing = Promise.resolve()
let planned: Promise<void> | null = null

/**
 * Notes that a request was refused. What comes while others are being written is added up and written next, so that a flood costs
 * one statement at a time. Never fails: a request is answered the same when nothing can be written.
 */
export async function noteSecurityEvent(
  database: Database,
  request: Request,
  { kind, reason, account = null }: Pick<SecurityEvent, 'kind' | 'reason'> & { account?: string | null },
): Promise<void> {
  const byOtherPage = isByOtherPage(request)
  const event: SecurityEvent = {
    kind,
    reason,
    account,
    address: byOtherPage ? null : clientAddress(request),
    source: byOtherPage && account === null ? 'pages' : 'functions',
    proof: request.headers.get('x-security-probe')?.slice(0, 200) ?? null,
  }
  const key = JSON.stringify(event)
  const known = waiting.get(key)
  waiting.set(key, { event, times: (known?.times ?? 0) + 1 })
  planned ??= writing.then(() => {
    planned = null
    writing = write(database)
    return writing
  })
  await planned
}

/** Notes the error that a request ends with, if it says something about who sent it. */
export async function noteError(
  database: Database,
  request: Request,
  error: unknown,
  account: string | null,
): Promise<void> {
  if (!(error instanceof ServiceError)) return
  const kind = error instanceof ForgedToken ? 'token_refused' : KINDS[error.code]
  if (kind === undefined) return
  await noteSecurityEvent(database, request, { kind, reason: error.code, account })
}

async function write(database: Database): Promise<void> {
  const batch = [...waiting.values()]
  waiting.clear()
  try {
    for (const { event, times } of batch) {
      await database`
        select private.note_security_event(
          ${event.kind}, ${event.account}::uuid, ${event.address}::inet,
          jsonb_build_object('reason', ${event.reason}::text), ${event.source}, ${times}
        )
        where private.probe_run(${event.proof}::text) is null`
    }
  } catch (error) {
    log('error', 'security_event_lost', describeError(error))
  }
}
