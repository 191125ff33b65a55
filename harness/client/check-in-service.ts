// The queue loads it when it is needed: a test whose clock stands still does not wait for that.
import '../../client/src/check-in/send.ts'
import type { CheckInEvent, Person, QueueContext, Upload } from '../../client/src/check-in/context.ts'
import { createQueue } from '../../client/src/check-in/queue.ts'
import type { CompleteRequest } from '../../client/src/check-in/record.ts'
import type { EndedCheckIn, QueuedCheckIn } from '../../client/src/check-in/types.ts'
import { type Device, memoryDevice } from '../../client/src/device.ts'
import { WellbeingError } from '../../client/src/errors.ts'
import { errorOf } from '../../client/src/explain.ts'

type Stored = {
  id: string
  owner: string
  type: QueuedCheckIn['type']
  status: EndedCheckIn['status']
  progress: number
  files: Map<string, string>
  /** When each had arrived. */
  times: Map<string, string>
  submitted: CompleteRequest | null
  error?: EndedCheckIn['error']
}

/** A call, as faults see it. */
export type ServiceCall = 'start' | 'upload' | 'read' | 'complete'

const IMAGES = Array.from({ length: 12 }, (_, index) => `image-${String(index + 1).padStart(2, '0')}`)
const AT = '2026-11-28T09:00:00+00:00'

/** Check-ins of the service in memory, by the rules of docs/checkins.md, with faults wherever a test wants them. */
export class CheckInService {
  readonly checkIns: Stored[] = []
  readonly calls: ServiceCall[] = []
  /** Throws before a call takes effect. */
  before: (call: ServiceCall, detail: string) => void | Promise<void> = () => {}
  /** Throws after a call took effect: its response is lost. */
  after: (call: ServiceCall, detail: string) => void | Promise<void> = () => {}
  consents = { audio: true, camera: true }
  readonly #listeners = new Map<string, Set<(event: CheckInEvent) => void>>()
  #uploads = 0

  /** The service as a device of a person reaches it. */
  forDevice(person: Person): Pick<QueueContext, 'calls' | 'upload' | 'listen' | 'listStored'> {
    const signedIn = async () => {
      const account = await person.current()
      if (account === null) throw serviceError('session_ended', 401)
      return account
    }
    return {
      calls: {
        start: (type) => this.#call('start', type, async () => this.#start(await signedIn(), type)),
        complete: (id, request) =>
          this.#call('complete', id, async () => this.#complete(await signedIn(), id, request)),
        read: (id) => this.#call('read', id, async () => this.#read(await signedIn(), id)),
      },
      upload: (upload) =>
        this.#call('upload', upload.place.path.split('/')[1] ?? '', () => this.#upload(upload)),
      listStored: async (folder) => this.checkIns.find(({ id }) => id === folder)?.times ?? new Map(),
      listen: (id, listener) => {
        const listeners = this.#listeners.get(id) ?? new Set()
        this.#listeners.set(id, listeners.add(listener))
        listener({ type: 'joined' })
        return () => listeners.delete(listener)
      },
    }
  }

  /** What becomes of what is being processed. */
  finish(status: 'complete' | 'failed' = 'complete', code = 'nothing_to_score'): void {
    for (const checkIn of this.checkIns) {
      if (checkIn.status !== 'processing') continue
      checkIn.status = status
      checkIn.progress = 1
      if (status === 'failed') {
        const reason = {
          modality: 'audio' as const,
          reason: 'silent',
          title: 'Nothing was heard.',
          advice: 'Speak up.',
        }
        checkIn.error = { code, message: 'Nothing was heard.', reason: 'silent', reasons: [reason] }
      }
      for (const listener of this.#listeners.get(checkIn.id) ?? []) listener({ type: 'changed' })
    }
  }

  /** Uploads a file, as another device may. */
  replace({ files, times }: Stored, name: string, text: string): void {
    files.set(name, text)
    times.set(name, new Date(Date.UTC(2026, 10, 28) + this.#uploads++ * 1000).toISOString())
  }

  expire(): void {
    for (const checkIn of this.checkIns) if (checkIn.status === 'created') checkIn.status = 'expired'
  }

  /** What was scored: the texts of the files, by check-in. */
  scored(): string[][] {
    return this.checkIns
      .filter(({ status }) => status === 'complete' || status === 'processing')
      .map(({ submitted, files }) => [
        ...(submitted?.transcript ? [submitted.transcript] : []),
        ...(submitted?.media ?? [...files.keys()]).map((name) => files.get(name) ?? ''),
      ])
  }

  async #call<Result>(
    call: ServiceCall,
    detail: string,
    take: () => Promise<Result> | Result,
  ): Promise<Result> {
    this.calls.push(call)
    await this.before(call, detail)
    const result = await take()
    await this.after(call, detail)
    return result
  }

  #start(owner: string, type: QueuedCheckIn['type']) {
    let open = this.checkIns.find(
      (one) => one.owner === owner && one.type === type && one.status === 'created',
    )
    const resumed = open !== undefined
    open ??= {
      id: `check-in-${this.checkIns.length + 1}`,
      owner,
      type,
      status: 'created',
      progress: 0,
      files: new Map(),
      times: new Map(),
      submitted: null,
    }
    if (!resumed) this.checkIns.push(open)
    const { id, status, files } = open
    const place = (name: string, bucket: 'check-in-media' | 'check-in-images') => ({
      bucket,
      path: `${id}/${name}`,
      token: 't',
      signed_url: `https://wellbeing.example.edu/${id}/${name}`,
      expires_at: AT,
      max_bytes: 52_428_800,
      content_types: ['audio/webm', 'image/jpeg'],
      received: received(files.get(name)),
    })
    return {
      id,
      type,
      status,
      created_at: AT,
      expires_at: AT,
      resumed,
      uploads: {
        audio: this.consents.audio ? place('audio', 'check-in-media') : null,
        images: this.consents.camera ? IMAGES.map((name) => place(name, 'check-in-images')) : [],
      },
    }
  }

  async #upload({ place, file, onProgress }: Upload): Promise<void> {
    const [id, name = ''] = place.path.split('/')
    const checkIn = this.checkIns.find((one) => one.id === id)
    if (checkIn?.status !== 'created') throw serviceError('upload_rejected', 403)
    this.replace(checkIn, name, await file.text())
    onProgress(file.size, true)
  }

  #read(owner: string, id: string): EndedCheckIn {
    const checkIn = this.#own(owner, id)
    const { type, status, progress, files, times, error } = checkIn
    const listed = [...files].map(([name, text]) => ({
      name,
      bytes: text.length,
      content_type: null,
      uploaded_at: times.get(name) ?? AT,
    }))
    return {
      id,
      type,
      status,
      progress,
      created_at: AT,
      expires_at: AT,
      completed_at: null,
      ...(status === 'created' && {
        uploads: {
          audio: listed.find(({ name }) => name === 'audio') ?? null,
          images: listed.filter(({ name }) => name !== 'audio'),
        },
      }),
      ...(error && { error, crisis_resources: [] }),
      ...(status === 'complete' && { result: resultOf(checkIn) }),
    }
  }

  #complete(owner: string, id: string, request: CompleteRequest): void {
    const checkIn = this.#own(owner, id)
    if (checkIn.status === 'processing' || checkIn.status === 'complete') return
    if (checkIn.status !== 'created') throw serviceError('check_in_expired', 400)
    const names = request.media ?? [...checkIn.files.keys()]
    const absent = names.find((name) => !checkIn.files.has(name))
    if (absent) throw serviceError('nothing_uploaded', 400, { file: absent })
    if (names.length === 0 && !request.transcript) throw serviceError('nothing_uploaded', 400)
    const images = names.filter((name) => name !== 'audio').length
    if (images > 0 && images < 8) throw serviceError('image_count', 400, { found: images, min: 8, max: 12 })
    const damaged = names.find((name) => checkIn.files.get(name)?.startsWith('damaged'))
    if (damaged)
      throw serviceError(damaged === 'audio' ? 'audio_unreadable' : 'image_unreadable', 400, {
        file: damaged,
      })
    checkIn.submitted = request
    checkIn.status = 'processing'
  }

  #own(owner: string, id: string): Stored {
    const checkIn = this.checkIns.find((one) => one.id === id && one.owner === owner)
    if (!checkIn) throw serviceError('check_in_not_found', 404)
    return checkIn
  }
}

function resultOf({ submitted, files }: Stored): NonNullable<EndedCheckIn['result']> {
  const names = submitted?.media ?? [...files.keys()]
  const part = (modality: 'audio' | 'visual' | 'text', isThere: boolean) => ({
    modality,
    score: isThere ? 60 : null,
    weight: isThere ? 1 : 0,
    quality: null,
    reason: isThere ? null : 'not_provided',
  })
  return {
    score: 60,
    uncertainty: 0.3,
    score_interval: [50, 70],
    calibrated: false,
    direction_of_change: 'same',
    significance: 'low',
    risk_level: 'none',
    summary: 'As usual.',
    themes: [],
    drivers_positive: [],
    drivers_negative: [],
    drivers: [],
    components: [
      part('audio', names.includes('audio')),
      part(
        'visual',
        names.some((name) => name !== 'audio'),
      ),
      part('text', Boolean(submitted?.transcript)),
    ],
    baseline: { score_mean: null, score_sd: null, check_ins: 0, compared: null },
    crisis_resources: [],
    algorithm_version: 'wb-0',
  }
}

function received(text: string | undefined) {
  return text === undefined ? null : { bytes: text.length, content_type: null, uploaded_at: AT }
}

type Code = WellbeingError['code']

/** What the service says instead of doing it. */
export function serviceError(
  code: Code,
  status: number,
  details: Record<string, unknown> = {},
): WellbeingError {
  const { retry_after_s } = details
  return new WellbeingError(code, {
    message: code,
    status,
    details,
    retryAfterS: typeof retry_after_s === 'number' ? retry_after_s : null,
  })
}

export const unreachable = (): WellbeingError => new WellbeingError('offline', { message: 'fetch failed' })

/** A device's session, which a test begins and ends. */
export class Session implements Person {
  account: string | null
  /** Whether the session can't be renewed, for want of a network. */
  unknown = false
  readonly #listeners = new Set<(account: string | null) => void>()

  constructor(account: string | null = 'robin') {
    this.account = account
  }

  async current(): Promise<string | null> {
    if (this.unknown) throw unreachable()
    return this.account
  }

  subscribe(listener: (account: string | null) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  become(account: string | null): void {
    this.account = account
    this.unknown = false
    for (const listener of this.#listeners) listener(account)
  }
}

/** A device whose tabs share its storage, its locks and its messages. */
export class SharedDevice {
  readonly storage = memoryDevice()
  readonly #tabs = new Set<{ listeners: Map<string, Set<() => void>> }>()
  readonly #held = new Map<string, Promise<unknown>>()

  /** One tab of it; `kill` ends it as a browser does, with its locks. */
  tab(): { device: Device; kill(): void } {
    const own = { listeners: new Map<string, Set<() => void>>() }
    this.#tabs.add(own)
    const killed = Promise.withResolvers<never>()
    killed.promise.catch(() => {})
    const alive = <Result>(task: () => Promise<Result>): Promise<Result> =>
      this.#tabs.has(own) ? task() : new Promise(() => {})
    const { items, files } = this.storage
    return {
      device: {
        items: {
          getItem: (key) => alive(() => items.getItem(key)),
          setItem: (key, value) => alive(() => items.setItem(key, value)),
          removeItem: (key) => alive(() => items.removeItem(key)),
          getAllKeys: () => alive(() => items.getAllKeys()),
        },
        files: {
          write: (name, file) => alive(() => files.write(name, file)),
          read: (name) => alive(() => files.read(name)),
          remove: (name) => alive(() => files.remove(name)),
          list: () => alive(() => files.list()),
        },
        exclusively: async (name, task) => {
          const before = this.#held.get(name)
          const run = (before ?? Promise.resolve())
            .catch(() => {})
            .then(() => Promise.race([alive(task), killed.promise]))
          this.#held.set(name, run)
          return run
        },
        announce: (topic) => {
          for (const tab of this.#tabs) {
            if (tab !== own) for (const listener of tab.listeners.get(topic) ?? []) queueMicrotask(listener)
          }
        },
        onAnnounced(topic, listener) {
          const listeners = own.listeners.get(topic) ?? new Set()
          own.listeners.set(topic, listeners.add(listener))
          return () => listeners.delete(listener)
        },
      },
      kill: () => {
        this.#tabs.delete(own)
        killed.reject(new Error('The tab was killed.'))
      },
    }
  }
}

/** A queue of a device that reaches the service. */
export function queueOf(
  service: CheckInService,
  {
    session = new Session(),
    device = memoryDevice(),
    keepForMs,
  }: { session?: Session; device?: Device; keepForMs?: number } = {},
) {
  return createQueue({
    device,
    person: session,
    ...service.forDevice(session),
    explain: async (error) => errorOf(error),
    ...(keepForMs !== undefined && { keepForMs }),
  })
}
