import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import manifest from '../../package.json' with { type: 'json' }
import type { IsolateEvent } from '../../src/functions/isolate.ts'
import { createFunctions, type Functions, type FunctionsOptions } from '../../src/functions/server.ts'

const nodeModules = dirname(dirname(createRequire(import.meta.url).resolve('supabase/package.json')))

/** A Supabase project in a temporary folder, with the functions given as source by name. */
export type Project = {
  root: string
  functions: Functions
  logged: string[]
  events: IsolateEvent[]
  write(name: string, source: string): void
  call(name: string, path?: string, init?: RequestInit): Promise<Response>
  dispose(): Promise<void>
}

export function createProject(
  sources: Record<string, string>,
  options: Partial<FunctionsOptions> = {},
): Project {
  const root = mkdtempSync(join(tmpdir(), 'functions-'))
  mkdirSync(join(root, 'supabase'))
  symlinkSync(nodeModules, join(root, 'node_modules'))
  const { hono, postgres, zod } = manifest.dependencies
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', dependencies: { hono } }))
  mkdirSync(join(root, 'functions'))
  const imports = { postgres: `npm:postgres@${postgres}`, zod: `npm:zod@${zod}` }
  writeFileSync(join(root, 'functions', 'deno.json'), JSON.stringify({ imports }))
  const write = (name: string, source: string): void => {
    const file = join(root, 'functions', name, 'index.ts')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, source)
  }
  for (const [name, source] of Object.entries(sources)) write(name, source)
  const logged: string[] = []
  const events: IsolateEvent[] = []
  const functions = createFunctions({
    root,
    functions: Object.fromEntries(
      Object.keys(sources).map((name) => [name, { entrypoint: `../functions/${name}/index.ts` }]),
    ),
    env: {},
    envFile: join(root, '.env'),
    dataDir: join(root, '.stack'),
    log: (line) => logged.push(line),
    onIsolate: (event) => events.push(event),
    ...options,
  })
  return {
    root,
    functions,
    logged,
    events,
    write,
    call: (name, path = '', init) =>
      callFunction(
        functions,
        name,
        new Request(`http://project.example.edu/functions/v1/${name}${path}`, init),
      ),
    async dispose() {
      await functions.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Calls a function as the gateway does. */
export async function callFunction(functions: Functions, name: string, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request
  // @ts-expect-error the DOM type of a stream differs from node's
  const body: Readable | null = request.body && Readable.fromWeb(request.body)
  const sent = await functions.handle(name, { method, url, headers, signal, body })
  // @ts-expect-error see above
  const streamed: BodyInit | null = sent.body instanceof Readable ? Readable.toWeb(sent.body) : sent.body
  return new Response(streamed, { status: sent.status, statusText: sent.statusText, headers: sent.headers })
}

/** Waits until `condition` holds, looking every few milliseconds; the test's own time limit ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Whether a process runs; one that ended and that nobody has collected yet does not. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
