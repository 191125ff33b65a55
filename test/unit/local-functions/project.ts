import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createFunctions,
  type Functions,
  type FunctionsOptions,
  type RequestFigures,
} from '../../../local/functions/index.ts'

const repository = resolve(fileURLToPath(new URL('../../..', import.meta.url)))

/** A Supabase project in a temporary folder, with the functions given as source by name. */
export type Project = {
  root: string
  functions: Functions
  logged: string[]
  figures: RequestFigures[]
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
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  cpSync(join(repository, 'package.json'), join(root, 'package.json'))
  mkdirSync(join(root, 'functions'))
  cpSync(join(repository, 'functions', 'deno.json'), join(root, 'functions', 'deno.json'))
  const write = (name: string, source: string): void => {
    const file = join(root, 'functions', name, 'index.ts')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, source)
  }
  for (const [name, source] of Object.entries(sources)) write(name, source)
  const logged: string[] = []
  const figures: RequestFigures[] = []
  const functions = createFunctions({
    root,
    config: {
      functions: Object.fromEntries(
        Object.keys(sources).map((name) => [name, { entrypoint: `../functions/${name}/index.ts` }]),
      ),
    },
    env: {},
    envFile: join(root, '.env'),
    dataDir: join(root, '.stack'),
    log: (line) => logged.push(line),
    onRequest: (figure) => figures.push(figure),
    ...options,
  })
  return {
    root,
    functions,
    logged,
    figures,
    write,
    call: (name, path = '', init) =>
      functions.fetch(name, new Request(`http://project.example.edu/functions/v1/${name}${path}`, init)),
    async dispose() {
      await functions.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
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
