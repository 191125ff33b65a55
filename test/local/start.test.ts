import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { demonstrationStills } from '../../local/demo/stills.ts'
import { freePorts } from '../../local/stack/ports.ts'
import { ROOT } from '../../local/stack/root.ts'
import { call } from '../client/call.ts'
import { SPEECH } from '../factories/check-ins.ts'
import { newStudent } from '../factories/students.ts'
import { startOwnStack } from '../stack/own-stack.ts'
import { serviceClient } from '../stack/project.ts'

const run = promisify(execFile)

async function node(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await run(process.execPath, args, { cwd: ROOT })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('stdout' in error) || !('stderr' in error))
      throw error
    return { code: Number(error.code), output: `${error.stdout}${error.stderr}` }
  }
}

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

describe('npm start', () => {
  test('--once scores the demonstration check-in, exits with 0 and leaves no process', async () => {
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
    const { code, output } = await node('local/start.ts', ...args, '--once')
    expect(output).toMatch(/Wellbeing\S*\s+\S*\d+/)
    expect(output).toMatch(/uncertainty 0\.\d\d/)
    expect(output).toContain('If you need someone now')
    expect(code).toBe(0)
    expect(await processesWith(dataDir)).toEqual([])
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('keeps accounts, check-ins and keys between starts, on other ports too, until --reset', async () => {
    const first = await startOwnStack()
    const student = await newStudent(first)
    expect((await call(first, student.token, 'POST', 'checkins/start', { type: 'daily' })).status).toBe(200)
    const { functions, postgres } = await first.processes()
    // Those that were called, the api for its description of the answers.
    expect([[...functions.keys()].sort(), postgres.length]).toEqual([['api', 'checkins'], 1])
    await first.halt()
    for (const pid of [first.pid, ...functions.values(), ...postgres]) expect(isAlive(pid)).toBe(false)

    const second = await startOwnStack({ dataDir: first.dataDir })
    expect(second.apiUrl).not.toBe(first.apiUrl)
    expect(second.secretKey).toBe(first.secretKey)
    const kept = await serviceClient(second).auth.admin.getUserById(student.id)
    expect(kept.data.user?.email).toBe(student.email)
    const done = await node(
      'local/check-in.ts',
      ...['--data', second.dataDir, '--transcript', join(SPEECH, 'neutral.txt'), '--json'],
    )
    expect(done.code, done.output).toBe(0)
    await second.halt()

    const third = await startOwnStack({ dataDir: first.dataDir, args: ['--reset'] })
    const gone = await serviceClient(third).auth.admin.getUserById(student.id)
    expect(gone.data.user).toBeNull()
    await third.stop()
    expect(existsSync(first.dataDir)).toBe(false)
  })

  test('runs beside another stack, each with its own data', async () => {
    const [one, other] = await Promise.all([startOwnStack(), startOwnStack()])
    const student = await newStudent(one)
    const elsewhere = await serviceClient(other).auth.admin.getUserById(student.id)
    expect(elsewhere.data.user).toBeNull()
    expect((await call(other, student.token, 'GET', `checkins/${crypto.randomUUID()}`)).status).toBe(401)
    await Promise.all([one.stop(), other.stop()])
  })

  test('stops while it boots, and leaves no process', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'interrupted-'))
    const [port, dbPort, inboxPort] = await freePorts(3)
    const child = spawn(
      process.execPath,
      [
        'local/start.ts',
        ...['--port', `${port}`, '--db-port', `${dbPort}`, '--inbox-port', `${inboxPort}`, '--data', dataDir],
      ],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => `${chunk}`.includes('migrations') && resolve())
    })
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(await processesWith(dataDir)).toEqual([])
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('says what to do when a port is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const dataDir = join(mkdtempSync(join(tmpdir(), 'taken-')), 'never-made')
    const { code, output } = await node('local/start.ts', '--port', `${port}`, '--data', dataDir)
    server.close()
    expect(code).toBe(1)
    expect(output).toContain(`Port ${port} is taken`)
    expect(output).toContain('--port')
    expect(existsSync(dataDir)).toBe(false)
  })

  test('says which option is wrong', async () => {
    expect(await node('local/start.ts', '--port', 'x')).toMatchObject({
      code: 1,
      output: expect.stringContaining('--port'),
    })
    expect(await node('local/start.ts', '--colour')).toMatchObject({
      code: 1,
      output: expect.stringContaining('--colour'),
    })
    expect(await node('local/start.ts', '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('--reset'),
    })
  })
})

describe('npm run check-in', () => {
  test('prints a table for people and JSON for tools', async () => {
    const stack = await startOwnStack()
    const stills = await demonstrationStills(join(stack.dataDir, 'stills'))
    const media = ['--audio', join(SPEECH, 'neutral.m4a'), '--images', stills, '--data', stack.dataDir]
    const table = await node('local/check-in.ts', ...media)
    expect(table.code, table.output).toBe(0)
    for (const line of ['Wellbeing', 'Change', 'Risk', 'Voice', 'Face', 'Words', 'If you need someone now']) {
      expect(table.output).toContain(line)
    }
    const { stdout } = await run(process.execPath, ['local/check-in.ts', ...media, '--json'], { cwd: ROOT })
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
      const { code, output } = await node('local/check-in.ts', ...args)
      expect(code).toBe(1)
      expect(output).toContain(message)
    }
  })
})

describe('the description of a running stack', () => {
  test('is a file that only its owner can read', async () => {
    const stack = await startOwnStack()
    const description = JSON.parse(readFileSync(join(stack.dataDir, 'stack.json'), 'utf8'))
    expect(Object.keys(description)).toEqual([
      'api_url',
      'functions_url',
      'database_url',
      'inbox_url',
      'publishable_key',
      'secret_key',
      'jwt_secret',
      'pid',
    ])
    expect((await run('stat', ['-c', '%a', join(stack.dataDir, 'stack.json')])).stdout.trim()).toBe('600')
    await stack.stop()
  })
})
