import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ROOT } from '../../scripts/root.ts'

const run = promisify(execFile)

/** Runs a script of the project to its end; its output and its errors in one text. */
export async function node(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await run(process.execPath, args, { cwd: ROOT })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('stdout' in error) || !('stderr' in error))
      throw error
    return { code: Number(error.code), output: `${error.stdout}${error.stderr}` }
  }
}
