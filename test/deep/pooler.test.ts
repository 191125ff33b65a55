import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { faces, scored, speech, startWith, transcriptOf } from '../../harness/factories/check-ins.ts'
import { newStudent } from '../../harness/factories/students.ts'
import { startConfiguredStack } from '../../harness/stack/own-stack.ts'
import { type Pooler, startPooler, withPgBouncer } from '../../harness/stack/pooler.ts'
import type { Project } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'

const SERVERS = 20
const CHECK_INS = 30

/** Runs the suite of the API against a project that runs already; the exit code and the end of what it printed. */
function runApiSuite(project: Project): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/api'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        TEST_DEPTH: '',
        SUPABASE_URL: project.apiUrl,
        SUPABASE_PUBLISHABLE_KEY: project.publishableKey,
        SUPABASE_SECRET_KEY: project.secretKey,
        DATABASE_URL: project.databaseUrl,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('exit', (code) => resolve({ code, output: output.slice(-5000) }))
  })
}

test(`the API works with every function behind a pooler of ${SERVERS} connections while ${CHECK_INS} check-ins run`, {
  ...withPgBouncer,
  timeout: 1_800_000,
}, async () => {
  let pooler: Pooler | undefined
  const stack = await startConfiguredStack(async (databaseUrl) => {
    pooler = await startPooler(databaseUrl, SERVERS)
    return { DATABASE_POOL_URL: pooler.url }
  })
  let most = 0
  const watch = setInterval(async () => {
    most = Math.max(most, (await pooler?.connections())?.servers ?? 0)
  }, 1000)
  try {
    const images = await faces()
    const students = await Promise.all(
      Array.from({ length: CHECK_INS }, () => newStudent(stack, ['audio', 'camera', 'text'])),
    )
    const started = await Promise.all(
      students.map((student) => startWith(stack, student, { audio: speech('neutral.m4a'), images })),
    )
    const [suite, ...results] = await Promise.all([
      runApiSuite(stack),
      ...students.map((student, place) =>
        scored(stack, student, started[place]?.id ?? '', { transcript: transcriptOf('neutral') }, 900_000),
      ),
    ])
    const killed = stack.logged.filter((line) => /ended \((CPUTime|Memory|WallClockTime|Exited)/.test(line))
    expect(suite, [...killed, suite.output].join('\n')).toMatchObject({ code: 0 })
    expect(new Set(results.map(({ score }) => score)).size).toBe(1)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(SERVERS)
    expect(stack.logged.filter((line) => /too many (clients|connections)/i.test(line))).toEqual([])
  } finally {
    clearInterval(watch)
    await stack.stop()
    await pooler?.stop()
  }
})
