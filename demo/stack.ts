import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as local from 'local-supabase'
import { ROOT } from '../scripts/root.ts'

export type { Stack } from 'local-supabase'

/** Starts this project on the local platform, with the secret that the database shows to the pipeline's functions. */
export async function startStack(
  options: local.StackOptions & { dataDir: string },
  output?: local.StackOutput,
): Promise<local.Stack> {
  const file = join(resolve(options.dataDir), 'pipeline-secret')
  const secret =
    existsSync(file) && !options.reset ? readFileSync(file, 'utf8') : randomBytes(32).toString('hex')
  const env = { PIPELINE_SECRET: secret, ...options.env }
  const textMessages = { webhook: '/functions/v1/buddy/texts' }
  const stack = await local.startStack({ root: ROOT, textMessages, ...options, env }, output)
  // Only now: a start that fails, or resets, leaves no file behind.
  writeFileSync(file, env.PIPELINE_SECRET, { mode: 0o600 })
  return stack
}
