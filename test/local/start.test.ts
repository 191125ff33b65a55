import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from 'local-supabase'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { demonstrationImages } from '../../demo/images.ts'
import { call } from '../../harness/client/call.ts'
import { SPEECH } from '../../harness/factories/check-ins.ts'
import { newStudent } from '../../harness/factories/students.ts'
import { node } from '../../harness/stack/command.ts'
import { startOwnStack } from '../../harness/stack/own-stack.ts'
import { ROOT } from '../../scripts/root.ts'

const run = promisify(execFile)

async function processesWith(text: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(text))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Function and process of every isolate that a stack's log names: on a slow processor the first use up their CPU at once. */
function isolatesIn(log: string): { name: string; pid: number }[] {
  return [...log.matchAll(/ (\S+): isolate (\d+) booted/g)].map(([, name = '', pid]) => ({
    name,
    pid: Number(pid),
  }))
}

describe('npm start', () => {
  test('--once scores the demonstration check-in, exits with 0 and leaves no process', async () => {
    // From nothing, where the others begin with a copy: with its own migrations and seeds.
    vi.stubEnv('STACK_TEMPLATE', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const dataDir = mkdtempSync(join(tmpdir(), 'once-'))
    const [port, dbPort, inboxPort] = await freePorts(3)
    const args = [
      '--port',
      `${port}`,
      '--db-port',
      `${dbPort}`,
      '--inbox-port',
      `${inboxPort}`,
      '--data',
      dataDir,
    ]
    const { code, output } = await node('demo/start.ts', ...args, '--once')
    expect(output).toContain('migrations and seeds')
    expect(output).toMatch(/Wellbeing\S*\s+\S*\d+/)
    expect(output).toMatch(/uncertainty 0\.\d\d/)
    expect(output).toContain('If you need someone now')
    expect(code).toBe(0)
    expect(await processesWith(dataDir)).toEqual([])
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('scores a check-in after a restart on other ports, and leaves no process', async () => {
    const first = await startOwnStack()
    const student = await newStudent(first)
    expect((await call(first, student.token, 'POST', 'checkins/start', { type: 'daily' })).status).toBe(200)
    const { postgres } = await first.processes()
    expect(postgres).toHaveLength(1)
    await first.halt()
    const booted = isolatesIn(readFileSync(first.local.logFile, 'utf8'))
    // Those that were called, the api for its description of the answers.
    expect([...new Set(booted.map(({ name }) => name))].sort()).toEqual(['api', 'checkins'])
    for (const pid of [first.pid, ...booted.map(({ pid }) => pid), ...postgres])
      expect(isAlive(pid)).toBe(false)

    const second = await startOwnStack({ dataDir: first.dataDir })
    const done = await node(
      'demo/check-in.ts',
      ...['--data', second.dataDir, '--transcript', join(SPEECH, 'neutral.txt'), '--json'],
    )
    expect(done.code, done.output).toBe(0)
    await second.stop()
    expect(existsSync(first.dataDir)).toBe(false)
  })

  test('says what there is', async () => {
    expect(await node('demo/start.ts', '--help')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/--reset[\s\S]*--once/),
    })
  })
})

describe('npm run check-in', () => {
  test('prints a table for people and JSON for tools', async () => {
    const stack = await startOwnStack()
    const images = await demonstrationImages(join(stack.dataDir, 'images'))
    const media = ['--audio', join(SPEECH, 'neutral.m4a'), '--images', images, '--data', stack.dataDir]
    const table = await node('demo/check-in.ts', ...media)
    expect(table.code, table.output).toBe(0)
    for (const line of ['Wellbeing', 'Change', 'Risk', 'Voice', 'Face', 'Text', 'If you need someone now']) {
      expect(table.output).toContain(line)
    }
    const { stdout } = await run(process.execPath, ['demo/check-in.ts', ...media, '--json'], { cwd: ROOT })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'complete', result: { score: expect.any(Number) } })
    await stack.stop()
  })

  test('says what is wrong with what it is given', async () => {
    for (const [args, message] of [
      [[], 'Nothing to send'],
      [['--audio', 'nowhere.m4a'], 'no recording at nowhere.m4a'],
      [['--audio', 'README.md'], 'send m4a'],
      [['--transcript', 'nowhere.txt'], 'no transcript at nowhere.txt'],
      [['--transcript', 'README.md', '--mood', '11'], '1 to 10'],
      [['--transcript', 'README.md', '--data', 'nowhere'], 'npm start'],
    ] as const) {
      const { code, output } = await node('demo/check-in.ts', ...args)
      expect(code).toBe(1)
      expect(output).toContain(message)
    }
  })
})
