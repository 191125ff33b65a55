import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from 'local-supabase'
import { startStack } from '../demo/stack.ts'
import { send } from '../harness/client/call.ts'
import { newSessionId, requests } from '../harness/factories/sessions.ts'
import { newStudent, type Student } from '../harness/factories/students.ts'
import {
  load,
  machineAfter,
  markdownTable,
  measuredOn,
  median,
  percentile,
  writeFigures,
} from '../harness/measuring/figures.ts'
import type { Project } from '../harness/stack/project.ts'
import { ROOT } from '../scripts/root.ts'

/**
 * `npm run bench:functions`: how long a call of each session function, and of the language model's route, takes at the
 * client through the gateway: in a process that starts with the call (median of 5), and in a warm one (median and 95th
 * percentile of 50 calls, one at a time). The language model is a local server with a constant delay, which is subtracted.
 * `--write` puts the figures into docs/benchmarks.md.
 */
const MODEL_MS = 200
/** Each makes as many calls to a function as the strictest rate limit allows in a minute. */
const STUDENTS = 10
const CALLS_EACH = 5
const COLD_STARTS = 5

const transcript = readFileSync(join(ROOT, 'corpora', 'speech', 'struggling.txt'), 'utf8')

type Subject = {
  name: string
  /** The function whose process is restarted for a cold call. */
  function: string
  path: string
  body(session: string): Promise<unknown>
  status: number
  /** Time that is not the function's own, ms; subtracted. */
  subtract: number
}

const subject = (name: Exclude<keyof typeof requests, 'calculate-wellbeing-score'>): Subject => ({
  ...{ name, function: name, path: name, status: 200, subtract: 0 },
  body: requests[name],
})

/** In this order, because the score needs the analyses before it. */
const SUBJECTS: Subject[] = [
  subject('analyze-audio'),
  subject('analyze-visual'),
  {
    ...subject('analyze-text'),
    body: async (sessionId) => ({ sessionId, conversationText: transcript }),
  },
  {
    name: 'calculate-wellbeing-score',
    function: 'calculate-wellbeing-score',
    path: 'calculate-wellbeing-score',
    body: requests['calculate-wellbeing-score'],
    status: 200,
    subtract: 0,
  },
  {
    name: 'textmodel/analyze-text, without the model’s time',
    function: 'api',
    path: 'api/textmodel/analyze-text',
    // A different text each time, as from the app.
    body: async () => ({ transcript: `${transcript} ${crypto.randomUUID()}` }),
    status: 200,
    subtract: MODEL_MS,
  },
  {
    name: 'rejected: no such session',
    function: 'analyze-text',
    path: 'analyze-text',
    body: async () => ({ sessionId: crypto.randomUUID(), conversationText: transcript }),
    status: 404,
    subtract: 0,
  },
]

type Figures = { 'median, ms': number; 'p95, ms': number; 'cold, ms': number }

const loadBefore = load()
const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
const model = createServer((request, response) => {
  request.resume().on('end', async () => {
    await pause(MODEL_MS)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion()))
  })
})
const [port = 0, dbPort = 0, inboxPort = 0, modelPort = 0] = await freePorts(4)
await new Promise<void>((resolve) => model.listen(modelPort, '127.0.0.1', resolve))
const stack = await startStack(
  {
    ...{ port, dbPort, inboxPort, dataDir, reset: false, watch: false },
    env: { OPENAI_API_KEY: 'sk-invented', OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1` },
  },
  { progress: () => {}, log: () => {} },
)
try {
  const { keys, ...rest } = stack
  const project: Project = {
    ...rest,
    publishableKey: keys.publishable,
    secretKey: keys.secret,
    local: null,
  }
  const students = await Promise.all(Array.from({ length: STUDENTS + 1 }, () => withSession(project)))
  const [first, ...others] = students
  if (!first) throw new Error('There is no student')
  const figures: Record<string, Figures> = {}
  for (const subject of SUBJECTS) {
    const cold: number[] = []
    for (let start = 0; start < COLD_STARTS; start++) {
      await endProcess(subject.function)
      cold.push(await timeOf(project, first, subject))
    }
    const warm: number[] = []
    for (const student of others) {
      for (let made = 0; made < CALLS_EACH; made++) warm.push(await timeOf(project, student, subject))
    }
    figures[subject.name] = {
      'median, ms': round(median(warm)),
      'p95, ms': round(percentile(warm, 0.95)),
      'cold, ms': round(median(cold)),
    }
  }
  console.table(figures)
  console.log(JSON.stringify(figures))
  if (process.argv.includes('--write')) {
    const rows = Object.entries(figures).map(([name, times]) => [name, ...Object.values(times)])
    const table = markdownTable(['', 'Median, ms', 'p95, ms', 'Cold, ms'], rows)
    writeFigures('functions', `${measuredOn(machineAfter(loadBefore))}.\n\n${table}`)
  }
} finally {
  await stack.stop()
  model.close()
  rmSync(dataDir, { recursive: true, force: true })
}

type InSession = { student: Student; session: string }

async function withSession(project: Project): Promise<InSession> {
  const student = await newStudent(project)
  return { student, session: await newSessionId(student) }
}

/** Time of one call at the client, ms, without what is not the function's own. Throws on an unexpected response. */
async function timeOf(project: Project, { student, session }: InSession, subject: Subject): Promise<number> {
  const body = JSON.stringify(await subject.body(session))
  const began = performance.now()
  const response = await send(project, student.token, 'POST', subject.path, body)
  const text = await response.text()
  const took = performance.now() - began
  if (response.status !== subject.status) {
    throw new Error(`${subject.name} returned ${response.status} ${text}`)
  }
  const provider = response.headers.get('x-analysis-provider')
  if (subject.subtract > 0 && provider !== 'language-model') throw new Error(`The provider was ${provider}`)
  return took - subject.subtract
}

/** Kills a function's process, so that the next call starts a new one. */
async function endProcess(name: string): Promise<void> {
  const pid = stack.pids().functions[name]
  if (pid === undefined) return
  process.kill(pid, 'SIGKILL')
  while (stack.pids().functions[name] === pid) await pause(5)
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** The response of an OpenAI-compatible server; its result needs no repair. */
function completion() {
  const result = {
    text_score: 40,
    mood_score: null,
    uncertainty: 0.3,
    themes: ['sleep', 'exams', 'loneliness'],
    keywords: ['lectures', 'tired'],
    risk_level: 'mild',
    direction_of_change: 'same',
    conversation_summary: 'You are tired and the exams weigh on you. It has been a hard week.',
    drivers_positive: [],
    drivers_negative: ['poor sleep'],
  }
  return {
    id: 'chatcmpl-invented',
    object: 'chat.completion',
    created: 0,
    model: 'invented',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: JSON.stringify(result), refusal: null },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}
