import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './root.ts'

const run = promisify(execFile)
const BIN = join(ROOT, 'node_modules', '.bin')

/**
 * Runs the Supabase CLI of this project and returns what it printed.
 *
 * Throws an error that holds the CLI's own words.
 */
export async function supabase(
  args: string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<string> {
  try {
    const { stdout } = await run(join(BIN, 'supabase'), [...args, '--agent', 'no'], {
      cwd: options.cwd ?? ROOT,
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...process.env,
        PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`,
        SUPABASE_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        ...options.env,
      },
    })
    return stdout
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`supabase ${args[0]} ${args[1] ?? ''} failed.\n${output}`, { cause: error })
  }
}
