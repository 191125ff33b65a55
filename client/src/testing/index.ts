import type { Row } from '../calls.ts'
import type { EndedCheckIn } from '../check-in/types.ts'
import type { ConsentKind } from '../consents.ts'
import type { ServiceErrorCode } from '../errors.ts'
import { auth } from './auth.ts'
import { end, filesIn, receive, tell } from './check-ins.ts'
import { tellAlert } from './database-functions.ts'
import { finishExport, functions } from './functions.ts'
import { createChannels } from './realtime.ts'
import { dataError, functionError, json, type Received, ServiceError, textOf } from './respond.ts'
import { type Account, type Mail, newAccount, now, type Outcome, type State, VERSION } from './state.ts'
import { tables } from './tables.ts'

export type { Mail } from './state.ts'

export type TestServiceOptions = {
  /** What the student has agreed to. Default: `audio`, `camera`, `text`. */
  consents?: ConsentKind[]
  /** Default: Robin Field. */
  firstName?: string
  lastName?: string
}

/** A service in memory, for the tests of apps: the package's own code runs against it, by the app's own Supabase client. */
export type TestService = {
  /** For `createClient(service.url, service.key, service.options)`. */
  url: string
  key: string
  options: {
    global: { fetch: typeof fetch }
    realtime: { transport: ReturnType<typeof createChannels>['transport'] }
  }
  /** Somebody with an account, for `supabase.auth.signInWithPassword(service.student)`. */
  student: { email: string; password: string }
  /** Codes that people were mailed, for `supabase.auth.verifyOtp`. A code that was used is gone. */
  mails: Mail[]
  /** What was asked of the service, the oldest first: `POST /functions/v1/checkins/start`. */
  requests: string[]

  /** The next request fails with a code; with `path`, the next one whose address contains it. */
  failNext(code: ServiceErrorCode, options?: { path?: string; details?: Record<string, unknown> }): void
  /** The next request takes effect, and its response is lost; with `path`, the next one whose address contains it. */
  loseResponse(path?: string): void
  /** There is no network, until `goOnline`. */
  goOffline(): void
  goOnline(): void
  /** Access tokens stop working, as after an hour; they can be renewed. */
  expireTokens(): void
  /** The session ends, as after a sign-out on all devices: the person has to sign in again. */
  endSessions(): void

  /** Check-ins that are completed stay `processing`, until `endCheckIn` or `failCheckIn`. */
  holdCheckIns(): void
  /** How far the check-in is that is being analysed, 0 to 1. */
  showProgress(progress: number): void
  /** Ends the check-in that is being analysed, or the next one: with an ordinary result, of which any part can be given. */
  endCheckIn(result?: Partial<NonNullable<EndedCheckIn['result']>>): void
  /** Like `endCheckIn`, as failed, with a reason of docs/errors.md: `silent`, `no_face`, … */
  failCheckIn(reason: string): void

  /** Finishes the export that was asked for. */
  finishExport(): void
  /** Somebody of the support circle agrees, as by the link in their mail. */
  contactAgrees(contactId: string): void
  /** Opens an alert about the student. */
  openAlert(): void
}

type Fault = { path: string; kind: 'fail' | 'lose'; failure: ServiceError | null }

const KEY = 'sb_publishable_test'
const URL_OF_SERVICE = 'http://wellbeing.test'

/**
 * Files of 256 kB and more go by TUS, whose client has a way of its own to the network: recordings of tests are smaller.
 *
 * @example
 * const service = createTestService()
 * const supabase = createClient(service.url, service.key, service.options)
 * await supabase.auth.signInWithPassword(service.student)
 * const wellbeing = createWellbeingClient(supabase)
 */
export function createTestService(options: TestServiceOptions = {}): TestService {
  const { consents = ['audio', 'camera', 'text'], firstName = 'Robin', lastName = 'Field' } = options
  const channels = createChannels()
  const password = 'invented-password-1'
  const student = newAccount('robin.field@northfield.example.edu', password, {
    first: firstName,
    last: lastName,
  })
  for (const kind of consents) student.consents.set(kind, { version: VERSION, grantedAt: now() })
  const state: State = {
    ...{ url: URL_OF_SERVICE, accounts: [student], mails: [], held: false, outcomes: [] },
    ...{ tokens: new Map(), refreshTokens: new Map(), places: new Map() },
    // After the response that it belongs to.
    broadcast: (...event) => queueMicrotask(() => channels.broadcast(...event)),
  }
  const requests: string[] = []
  const faults: Fault[] = []
  let offline = false

  async function respond(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { pathname } = new URL(request.url)
    if (offline) throw new TypeError('Failed to fetch')
    requests.push(`${request.method} ${pathname}`)
    const at = faults.findIndex(({ path }) => pathname.includes(path))
    const [fault] = at < 0 ? [] : faults.splice(at, 1)
    const response = await responseOf(state, request, fault?.failure ?? null)
    if (fault?.kind === 'lose') throw new TypeError('Failed to fetch')
    return response
  }

  /** The check-in that is being analysed, of anybody. */
  function conclude(outcome: Outcome): void {
    const waiting = state.accounts.flatMap((account) =>
      account.checkIns
        .filter(({ view }) => view.status === 'processing')
        .map((checkIn) => ({ account, checkIn })),
    )[0]
    if (waiting) end(state, waiting.account, waiting.checkIn, outcome)
    else state.outcomes.push(outcome)
  }

  function contactOf(id: string): [Account, Row<'buddy_contacts'>] {
    for (const account of state.accounts) {
      const contact = account.contacts.find((other) => other.id === id)
      if (contact) return [account, contact]
    }
    throw new Error(`Nobody has a contact ${id}.`)
  }

  return {
    url: URL_OF_SERVICE,
    key: KEY,
    options: { global: { fetch: respond }, realtime: { transport: channels.transport } },
    student: { email: student.email, password },
    mails: state.mails,
    requests,
    failNext(code, { path = '', details } = {}) {
      faults.push({ path, kind: 'fail', failure: new ServiceError(code, details) })
    },
    loseResponse(path = '') {
      faults.push({ path, kind: 'lose', failure: null })
    },
    goOffline() {
      offline = true
      channels.interrupt(true)
    },
    goOnline() {
      offline = false
      channels.interrupt(false)
    },
    expireTokens: () => state.tokens.clear(),
    endSessions() {
      state.tokens.clear()
      state.refreshTokens.clear()
    },
    holdCheckIns() {
      state.held = true
    },
    showProgress(progress) {
      for (const { checkIns } of state.accounts) {
        for (const { view } of checkIns) {
          if (view.status !== 'processing') continue
          view.progress = progress
          tell(state, view, 'progress')
        }
      }
    },
    endCheckIn: (result = {}) => conclude({ result }),
    failCheckIn: (reason) => conclude({ reason }),
    finishExport() {
      for (const account of state.accounts) {
        for (const made of account.exports) if (made.status === 'queued') finishExport(state, account, made)
      }
    },
    contactAgrees(contactId) {
      const [account, contact] = contactOf(contactId)
      Object.assign(contact, { verified: true, verified_at: now() })
      state.broadcast(`support:${account.id}`, 'support_contact', {
        ...{ contact_id: contact.id, name: contact.name, verified: true, phone_confirmed: false },
        declined_at: null,
      })
    },
    openAlert() {
      const alert: Row<'support_alerts'> = {
        ...{ id: crypto.randomUUID(), user_id: student.id, status: 'open', worrying_days: 3, step: 1 },
        ...{ opened_at: now(), step_began_at: now(), ended_at: null, all_right_at: null },
        crisis_contact_told_at: null,
      }
      student.alerts.unshift(alert)
      tellAlert(state, student, alert)
    },
  }
}

async function responseOf(state: State, request: Request, failure: ServiceError | null): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const [, part = '', path = ''] = /^\/(functions|rest|auth|storage)\/v1(\/.*)$/.exec(pathname) ?? []
  const body = await request.blob()
  const received: Received = {
    ...{ method: request.method, path, query: searchParams, headers: request.headers },
    json: jsonOf(await body.text()),
    blob: async () => body,
  }
  const token = request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? ''
  const account = state.tokens.get(token) ?? null
  try {
    if (failure) throw failure
    if (part === 'auth') return auth(state, received, account)
    if (part === 'storage')
      return await storage(state, received, account, request.headers.get('content-type'))
    if (part === 'rest') return tables(state, received, account)
    return functions(state, received, account)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return part === 'rest' ? dataError(error) : functionError(error, path)
  }
}

function jsonOf(text: string): Received['json'] {
  try {
    const parsed = JSON.parse(text)
    return typeof parsed === 'object' ? parsed : null
  } catch {
    return null
  }
}

/** Takes files at signed addresses, as they are or in a form, and lists what has arrived. */
async function storage(
  state: State,
  { method, path, query, json: body, blob }: Received,
  account: Account | null,
  type: string | null,
): Promise<Response> {
  if (path.startsWith('/object/list/')) {
    const bucket = path.slice('/object/list/'.length)
    return json(account ? filesIn(account, bucket, textOf(body, 'prefix')) : [])
  }
  if (method !== 'PUT' || !path.startsWith('/object/upload/sign/')) return storageError('404', 'not_found')
  const sent = await blob()
  const file = type?.startsWith('multipart/') ? await fileOf(sent, type) : sent
  const stored = await receive(state, query.get('token') ?? '', file)
  if (stored === 'submitted')
    return storageError('403', 'This check-in was submitted: what was uploaded to it stays.')
  if (stored === null) return storageError('400', 'Invalid signature')
  return json({ Key: path.slice('/object/upload/sign/'.length) })
}

async function fileOf(sent: Blob, type: string): Promise<Blob> {
  const form = await new Response(sent, { headers: { 'content-type': type } }).formData()
  for (const [, value] of form) if (typeof value !== 'string') return value
  return new Blob()
}

function storageError(statusCode: string, message: string): Response {
  return json({ statusCode, error: message, message }, 400)
}
