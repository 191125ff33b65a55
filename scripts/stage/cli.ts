import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import type { Stage } from './stage.ts'

const cli = dirname(createRequire(import.meta.url).resolve('supabase/package.json'))

/** What a command of the CLI ended with. */
export type CliResult = { code: number; stdout: string; stderr: string }

/**
 * Runs the project's Supabase CLI on a stage. Whatever is secret reaches it through its environment: others can read a
 * command line.
 *
 * @param print called with the output as it comes
 */
export function runCli(
  { release, settings, functionsUrl }: Stage,
  args: string[],
  { env = {}, print }: { env?: NodeJS.Dict<string>; print?: (text: string) => void } = {},
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(cli, 'dist', 'supabase.js'), ...args, '--workdir', release.root, '--agent', 'no'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...settings,
          // config.toml reads them where it names them.
          FUNCTIONS_URL: settings.FUNCTIONS_URL ?? functionsUrl,
          ...env,
          PATH: `${join(dirname(cli), '.bin')}${delimiter}${process.env.PATH ?? ''}`,
          SUPABASE_TELEMETRY_DISABLED: '1',
          SUPABASE_NO_UPDATE_NOTIFIER: '1',
          DO_NOT_TRACK: '1',
        },
      },
    )
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      print?.(text)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      print?.(text)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}

/** The option that names a hosted stage's project to the CLI. */
export function remoteOption({ management }: Stage): string {
  if (!management) throw new Error('The stack of this machine has no project of the platform')
  return `--remote=${management.ref}`
}
