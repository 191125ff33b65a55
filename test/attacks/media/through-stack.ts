import { MAX_IMAGE_BYTES } from '../../../functions/_shared/checkins/media.ts'
import { HEADER_BYTES, inspectImage } from '../../../functions/_shared/visual/inspect-image.ts'
import { call } from '../../../harness/client/call.ts'
import {
  faces,
  type Medium,
  speech,
  start,
  startWith,
  uploadMedium,
} from '../../../harness/factories/check-ins.ts'
import { visualSummary } from '../../../harness/factories/session-summaries.ts'
import { newSessionId } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { median, percentile } from '../../../harness/measuring/figures.ts'
import { imageFiles } from '../../../harness/media/images.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { FunctionProcesses, type Taken } from '../../../harness/stack/processes.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { LIMITS, RETURN_FREED } from './attack.ts'
import { audioFilesByKind } from './audio.ts'

/** What a function's process may hold: 256 MB, and the 50 MB that the runtime takes before it does anything. */
const PROCESS_MB = 306

/** Rounds of alone and attacked, so that what else the machine does meets both alike. */
const ROUNDS = 4

/** Requests of the other student that are timed alone in each round. */
const ALONE = 12

/**
 * How the other student may wait longer than alone. In the median twice as long, because both share the machine's cores; of 20
 * requests one, for the rest of a hostile request besides, because a process computes one thing at a time.
 */
const SLOWER = { times: 2, waitMs: LIMITS.cpuS * 1000 }

/**
 * What a function keeps more at the end than halfway, in MB. Nobody collects its garbage here, so that resident memory goes up and
 * down by what V8 allows; the attack on the functions' own code, which collects it, is held to `LIMITS.keptMb`.
 */
const KEPT_MB = 40

const IMAGES_OF_A_CHECK_IN = 8

/** Functions that open a student's media. */
const READERS = ['checkins', 'pipeline-audio', 'analyze-visual', 'pipeline-visual'] as const
type Reader = (typeof READERS)[number]

interface StackReport {
  requests: number
  /** How many requests ended how: their status and code. */
  outcomes: Record<string, number>
  /** Of each function, the most that one request or job took. */
  most: Partial<
    Record<Reader, { cpuS: number; mb: number; processMb: number; restMb: [half: number, end: number] }>
  >
  /** Of the other student, in milliseconds, alone and under attack. */
  other: Record<string, Record<'alone' | 'attacked', [median: number, late: number]>>
  failures: string[]
}

/**
 * Sends hostile media through a stack of its own as a student's app does: recordings are uploaded and submitted, images analysed by
 * themselves and, where their headers pass, in check-ins. Meanwhile another student reads a check-in, has a face analysed and checks in.
 */
export async function attackStack(seed: number, files: number): Promise<StackReport> {
  // A process that no limit retires lives through the whole attack, so that its end is a fault and its memory can be followed.
  const stack = await startConfiguredStack(RETURN_FREED, { limits: false })
  try {
    // The attack is as fast as it can be; how often a student may do what is another matter.
    await withDatabase(
      stack,
      (sql) => sql`update private.rate_limit_rules set requests = 1000000, daily_requests = null`,
    )
    const attackers = { voice: await newStudent(stack, ['audio']), face: await newStudent(stack, ['camera']) }
    return await new StackAttack(stack, attackers, await otherStudent(stack)).run(seed, files)
  } finally {
    await stack.stop()
  }
}

type Other = Awaited<ReturnType<typeof otherStudent>>

/** A student who has checked in and goes on using the service. */
async function otherStudent(stack: ConfiguredStack) {
  const student = await newStudent(stack)
  const [sessionId, images] = [await newSessionId(student), await faces()]
  const [face] = images
  const imageData = Buffer.from(face?.bytes ?? []).toString('base64')
  const { id } = await start(stack, student)
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await call(stack, student.token, method, path, body)
    if (response.status !== 200)
      throw new Error(`${method} ${path} responded ${response.status} ${response.body.code}`)
  }
  return {
    'reads a check-in': () => ask('GET', `checkins/${id}`),
    'has a face analysed': () =>
      ask('POST', 'analyze-visual', { sessionId, imageData, visualSummary: visualSummary() }),
    'checks in': async () => {
      const started = await startWith(stack, student, { audio: speech('short.wav'), images })
      await ask('POST', `checkins/${started.id}/complete`, {})
      await ended(stack, started.id)
    },
  }
}

/** A check-in that has not ended after this long is taken for one that never ends, in milliseconds. */
const ENDLESS_MS = 180_000

/** Waits until a check-in has ended. @returns how many jobs analysed its media; they are deleted with its end */
async function ended(stack: ConfiguredStack, id: string): Promise<number> {
  return withDatabase(stack, async (sql) => {
    let most = 1
    const until = performance.now() + ENDLESS_MS
    while (performance.now() < until) {
      const [row] = await sql`
        select status, (
          select count(*)::int from private.analysis_jobs
          where check_in_id = c.id and (kind::text like 'audio%' or kind::text like 'visual%')
        ) as jobs
        from checkin.check_ins c
        where id = ${id}`
      most = Math.max(most, row?.jobs ?? 0)
      if (row?.status === 'complete' || row?.status === 'failed') return most
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`The check-in ${id} has not ended after ${ENDLESS_MS / 1000} s`)
  })
}

/** Two students of the attacker: where one has consented to the camera as well, a check-in needs images. */
interface Attackers {
  voice: Student
  face: Student
}

class StackAttack {
  readonly #stack: ConfiguredStack
  readonly #attackers: Attackers
  readonly #other: Other
  readonly #processes = new FunctionProcesses()
  readonly #rest = new Map<Reader, number[]>()
  readonly #times = new Map<string, { alone: number[]; attacked: number[] }>()
  readonly #report: StackReport = { requests: 0, outcomes: {}, most: {}, other: {}, failures: [] }
  /** Whether the pipeline works for the other student too, so that what it takes is not the attacker's. */
  #areWorkersShared = false
  /** Images whose headers pass. */
  #passing: Medium[] = []

  constructor(stack: ConfiguredStack, attackers: Attackers, other: Other) {
    this.#stack = stack
    this.#attackers = attackers
    this.#other = other
  }

  async run(seed: number, files: number): Promise<StackReport> {
    // Every function runs, and has done all that is slow the first time.
    for (const use of Object.values(this.#other)) for (let time = 0; time < 2; time++) await use()
    await this.#processes.refresh()
    const recordings = audioFilesByKind(seed)
    const images = imageFiles(seed)
    const perRound = Math.ceil(files / 2 / ROUNDS)
    const sessionId = await newSessionId(this.#attackers.face)
    for (let round = 0; round < ROUNDS; round++) {
      await this.#useAlone('reads a check-in', ALONE)
      await this.#useMeanwhile('reads a check-in', () =>
        this.#each(recordings, perRound, (file) => this.#checkInWith(file)),
      )
      await this.#useAlone('has a face analysed', ALONE)
      await this.#useMeanwhile('has a face analysed', async () => {
        await this.#each(images, perRound, (file) => this.#analyze(file, sessionId))
        await this.#checkInWithImages()
      })
      await this.#useAlone('checks in', 2)
      this.#areWorkersShared = true
      await this.#useMeanwhile('checks in', async () => {
        await this.#checkInWithImages()
        await this.#each(recordings, 6, (file) => this.#checkInWith(file))
      })
      this.#areWorkersShared = false
    }
    this.#conclude()
    return this.#report
  }

  async #each(
    files: Iterator<{ name: string; bytes: Uint8Array }>,
    count: number,
    give: (file: { name: string; bytes: Uint8Array }) => Promise<void>,
  ): Promise<void> {
    for (let number = 0; number < count; number++) {
      const next = files.next()
      if (next.done !== true) await give(next.value)
    }
  }

  async #checkInWith({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<void> {
    const { voice } = this.#attackers
    const started = await start(this.#stack, voice)
    const recording = { bytes: new Uint8Array(bytes), type: 'audio/wav' }
    await uploadMedium(voice, started.uploads.audio, recording)
    await this.#submit(name, voice, started.id, 'pipeline-audio')
  }

  /** Submits a check-in; where it is accepted, waits for the end of its analysis. */
  async #submit(name: string, student: Student, id: string, worker: Reader): Promise<void> {
    const finishJobs = this.#processes.begin(worker)
    const status = await this.#send(name, student, 'checkins', `checkins/${id}/complete`, {})
    if (status !== 200) return
    const jobs = await ended(this.#stack, id)
    await this.#note(`${name}, ${jobs} jobs`, worker, finishJobs(), jobs)
  }

  async #analyze({ name, bytes }: { name: string; bytes: Uint8Array }, sessionId: string): Promise<void> {
    const imageData = Buffer.from(bytes).toString('base64')
    const body = { sessionId, imageData, visualSummary: visualSummary() }
    await this.#send(name, this.#attackers.face, 'analyze-visual', 'analyze-visual', body)
    try {
      inspectImage(bytes.slice(0, HEADER_BYTES), bytes.length)
    } catch {
      return
    }
    if (bytes.length <= MAX_IMAGE_BYTES)
      this.#passing.push({ bytes: new Uint8Array(bytes), type: 'image/png' })
  }

  /** Checks in with the images whose headers pass, and genuine ones where those are too few. */
  async #checkInWithImages(): Promise<void> {
    const images = [...this.#passing, ...(await faces())].slice(0, IMAGES_OF_A_CHECK_IN)
    this.#passing = this.#passing.slice(IMAGES_OF_A_CHECK_IN)
    const { face } = this.#attackers
    const { id } = await startWith(this.#stack, face, { images })
    await this.#submit('images of a check-in', face, id, 'pipeline-visual')
  }

  async #send(name: string, student: Student, reader: Reader, path: string, body: object): Promise<number> {
    const finish = this.#processes.begin(reader)
    const { status, body: response } = await call(this.#stack, student.token, 'POST', path, body)
    this.#report.requests++
    const outcome = `${status} ${response.code ?? ''}`.trim()
    this.#report.outcomes[outcome] = (this.#report.outcomes[outcome] ?? 0) + 1
    if (status >= 500) this.#report.failures.push(`${name}: ${reader} responded ${outcome}`)
    await this.#note(name, reader, finish())
    return status
  }

  /** Notes what a request, or so many jobs, took. The other student's requests to the same process are in it. */
  async #note(name: string, reader: Reader, taken: Taken, jobs = 1): Promise<void> {
    const ended = await this.#processes.refresh()
    for (const process of ended) this.#report.failures.push(`${name}: the process of ${process} ended`)
    const { mb, processMb } = taken
    const cpuS = this.#areWorkersShared ? 0 : taken.cpuS / jobs
    if (cpuS > LIMITS.cpuS) this.#report.failures.push(`${name}: ${cpuS.toFixed(2)} s of CPU in ${reader}`)
    if (mb > LIMITS.requestMb) this.#report.failures.push(`${name}: ${mb.toFixed(0)} MB in ${reader}`)
    if (processMb > PROCESS_MB)
      this.#report.failures.push(`${name}: ${processMb.toFixed(0)} MB in the process of ${reader}`)
    const before = this.#report.most[reader] ?? { cpuS: 0, mb: 0, processMb: 0, restMb: [0, 0] }
    this.#report.most[reader] = {
      ...before,
      cpuS: Math.max(before.cpuS, cpuS),
      mb: Math.max(before.mb, mb),
      processMb: Math.max(before.processMb, processMb),
    }
    const restMb = this.#processes.restMb(reader)
    if (restMb !== null) this.#rest.set(reader, [...(this.#rest.get(reader) ?? []), restMb])
  }

  async #useAlone(what: keyof Other, times: number): Promise<void> {
    for (let time = 0; time < times; time++) await this.#time(what, 'alone')
  }

  /** Uses the service over and over while the attack goes on. */
  async #useMeanwhile(what: keyof Other, attack: () => Promise<void>): Promise<void> {
    let isOver = false
    const use = async () => {
      while (!isOver) await this.#time(what, 'attacked')
    }
    const attacked = attack().finally(() => {
      isOver = true
    })
    await Promise.all([attacked, use()])
  }

  async #time(what: keyof Other, when: 'alone' | 'attacked'): Promise<void> {
    const times = this.#times.get(what) ?? { alone: [], attacked: [] }
    this.#times.set(what, times)
    const began = performance.now()
    await this.#other[what]()
    times[when].push(performance.now() - began)
  }

  #conclude(): void {
    for (const [what, { alone, attacked }] of this.#times) {
      const figures = { alone: waits(alone), attacked: waits(attacked) }
      this.#report.other[what] = figures
      const [median, late] = figures.alone.map((ms) => SLOWER.times * ms)
      if (figures.attacked[0] > (median ?? 0) || figures.attacked[1] > (late ?? 0) + SLOWER.waitMs)
        this.#report.failures.push(
          `another student who ${what} waits ${figures.attacked.join(', of 20 once ')} ms instead of ${figures.alone.join(', of 20 once ')} ms`,
        )
    }
    for (const [reader, rest] of this.#rest) {
      const quarter = Math.max(1, Math.floor(rest.length / 4))
      const restMb: [number, number] = [
        Math.min(...rest.slice(quarter, 2 * quarter), ...rest.slice(-1)),
        Math.min(...rest.slice(-quarter)),
      ]
      const most = this.#report.most[reader]
      if (most) most.restMb = restMb
      if (restMb[1] - restMb[0] > KEPT_MB)
        this.#report.failures.push(
          `${reader}: memory at rest went from ${restMb[0].toFixed(0)} to ${restMb[1].toFixed(0)} MB`,
        )
    }
  }
}

/** Median, and what one of 20 exceeds. */
function waits(times: number[]): [median: number, late: number] {
  return [Math.round(median(times)), Math.round(percentile(times, 0.95))]
}
