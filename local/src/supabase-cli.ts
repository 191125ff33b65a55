import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cli = dirname(createRequire(import.meta.url).resolve('supabase/package.json'))

/**
 * Runs the Supabase CLI in a project's folder (default: the current one) and returns what it printed.
 *
 * @throws Error with the CLI's own message
 */
export async function supabase(args: string[], options?: { root?: string }): Promise<string> {
  return (await supabaseOutput(args, options)).stdout
}

/**
 * The same with what it printed besides, such as warnings.
 *
 * @throws Error with the CLI's own message
 */
export async function supabaseOutput(args: string[], { root = process.cwd() }: { root?: string } = {}) {
  try {
    return await run(process.execPath, [join(cli, 'dist', 'supabase.js'), ...args, '--agent', 'no'], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...process.env,
        PATH: `${join(dirname(cli), '.bin')}${delimiter}${process.env.PATH ?? ''}`,
        SUPABASE_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
      },
    })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`supabase ${args[0]} ${args[1] ?? ''} failed.\n${output}`, { cause: error })
  }
}
