import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { readStackArguments } from '../src/command.ts'
import { freePorts } from '../src/ports.ts'
import { createProject } from './project.ts'

const run = promisify(execFile)
const COMMAND = join(import.meta.dirname, '..', 'cli.ts')

const projects: ReturnType<typeof createProject>[] = []
afterEach(() => {
  for (const { remove } of projects.splice(0)) remove()
})
function project(): string {
  const made = createProject()
  projects.push(made)
  return made.root
}

/** Runs the command in a project's folder to its end. */
async function command(cwd: string, ...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await run(process.execPath, [COMMAND, ...args], { cwd })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('stdout' in error) || !('stderr' in error))
      throw error
    return { code: Number(error.code), output: `${error.stdout}${error.stderr}` }
  }
}

/** Starts the command in a project's folder and waits until it prints `text`. */
async function started(cwd: string, text: string) {
  const [port, dbPort, inboxPort] = await freePorts(3)
  const args = ['--port', `${port}`, '--db-port', `${dbPort}`, '--inbox-port', `${inboxPort}`]
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes(text)) resolve()
      })
    }
    void ended.then((code) => reject(new Error(`The command ended with ${code}:\n${output}`)))
  })
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    interrupt() {
      child.kill('SIGINT')
      return ended
    },
  }
}

async function processesWith(text: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(text))
}

describe('local-supabase', () => {
  test('serves the project of the current folder, beside another, until Ctrl-C', async () => {
    const roots = [project(), project()]
    const [one, other] = await Promise.all(roots.map((root) => started(root, 'Serving.')))
    const file = join(roots[0] ?? '', '.stack', 'stack.json')
    const description = JSON.parse(readFileSync(file, 'utf8'))
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
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(description.api_url).toBe(one?.apiUrl)
    const headers = { apikey: description.publishable_key }
    expect((await fetch(`${one?.apiUrl}/auth/v1/settings`, { headers })).status).toBe(200)
    // Each has its own keys.
    expect((await fetch(`${other?.apiUrl}/auth/v1/settings`, { headers })).status).toBe(401)
    expect(await Promise.all([one?.interrupt(), other?.interrupt()])).toEqual([0, 0])
    expect(existsSync(file)).toBe(false)
    for (const root of roots) expect(await processesWith(root)).toEqual([])
  })

  test('stops while it boots, and leaves no process', async () => {
    const root = project()
    const booting = await started(root, 'migrations')
    expect(await booting.interrupt()).toBe(130)
    expect(await processesWith(root)).toEqual([])
  })

  test('says what to do when a port is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const root = project()
    const { code, output } = await command(root, '--port', `${port}`)
    server.close()
    expect(code).toBe(1)
    expect(output).toContain(`Port ${port} is taken`)
    expect(output).toContain('--port')
    expect(existsSync(join(root, '.stack'))).toBe(false)
  })

  test('takes the limits of isolates in the units of the platform', () => {
    const limits = (text: string) =>
      readStackArguments({ data: '', reset: false, watch: false, limits: text }).limits
    expect(limits('cpu=500,wall=400')).toEqual({ cpuMs: 500, wallMs: 400_000 })
    expect(limits('memory=128')).toEqual({ memoryMb: 128 })
    expect(limits('off')).toBe(false)
  })

  test('hands on what hears replies to texts, and else leaves it to who starts the stack', () => {
    const values = { data: '', reset: false, watch: false }
    expect(readStackArguments({ ...values, 'text-webhook': '/functions/v1/texts' }).textMessages).toEqual({
      webhook: '/functions/v1/texts',
    })
    expect(readStackArguments(values)).not.toHaveProperty('textMessages')
  })

  test('says which option is wrong, and what there is', async () => {
    const root = project()
    for (const [args, code, text] of [
      [['--port', 'x'], 1, '--port'],
      [['--colour'], 1, '--colour'],
      [['--runtime-policy', 'fair'], 1, '--runtime-policy'],
      [['--limits', 'cpu=fast'], 1, '--limits'],
      [['--help'], 0, '--reset'],
    ] as const) {
      expect(await command(root, ...args)).toMatchObject({ code, output: expect.stringContaining(text) })
    }
  })
})
