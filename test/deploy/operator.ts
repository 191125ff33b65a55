import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../stack/root.ts'
import type { ManagementApi } from './management-api.ts'

const run = promisify(execFile)

export type Operator = (
  args: string[],
  options?: { workdir?: string },
) => Promise<{ stdout: string; stderr: string }>

/**
 * An operator at a shell who is signed in to the stand-in: runs the project's Supabase CLI against it and returns
 * both streams, because the CLI's warnings go to the second one. `home` keeps the CLI's own files out of the user's.
 */
export async function operatorOf(api: ManagementApi, home: string): Promise<Operator> {
  await mkdir(home, { recursive: true })
  const profile = join(home, 'profile.json')
  await writeFile(
    profile,
    JSON.stringify({
      name: 'stand-in',
      api_url: api.url,
      dashboard_url: api.url,
      project_host: 'example.invalid',
    }),
  )
  return (args, { workdir = ROOT } = {}) =>
    run(
      join(ROOT, 'node_modules', '.bin', 'supabase'),
      [...args, `--remote=${api.ref}`, '--yes', '--profile', profile, '--workdir', workdir, '--agent', 'no'],
      {
        maxBuffer: 64 * 1024 * 1024,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          SUPABASE_HOME: home,
          SUPABASE_ACCESS_TOKEN: api.token,
          SUPABASE_TELEMETRY_DISABLED: '1',
          DO_NOT_TRACK: '1',
        },
      },
    )
}
