import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/root.ts'
import { type BackedProject, type ManagementApi, startManagementApi } from './management-api.ts'

/** A secret as an operator makes it. */
export const PIPELINE_SECRET = 'an-invented-secret-of-more-than-thirty-two-characters'

/** The settings in config.toml that a stage has of its own. */
const STAGE_SETTINGS = (ref: string) => `
[remotes.staging]
project_id = "${ref}"

[remotes.staging.auth]
site_url = "https://app.example.edu"
additional_redirect_urls = []

[remotes.staging.auth.email.smtp]
enabled = true
host = "smtp.example.edu"
port = 587
user = "env(SMTP_USER)"
pass = "env(SMTP_PASS)"
admin_email = "no-reply@example.edu"
sender_name = "Student wellbeing"
`

/** A stage of the platform that is played on this machine: the stand-in of its Management API, over a project. */
export type HostedStage = {
  api: ManagementApi
  /** The checkout's folder, whose config.toml names the stage `staging`. */
  workdir: string
  /** The operator's environment. */
  env: Record<string, string>
  close(): Promise<void>
}

/**
 * Plays a hosted stage.
 *
 * @param project what answers its queries, and holds its files
 * @param settings further settings of the operator's
 */
export async function startHostedStage(
  project: BackedProject & { apiUrl: string },
  settings: Record<string, string> = {},
): Promise<HostedStage> {
  const api = await startManagementApi(project)
  const workdir = await mkdtemp(join(tmpdir(), 'stage-'))
  await mkdir(join(workdir, 'supabase'))
  // The CLI follows no link that leads out of the folder.
  for (const name of ['functions', 'types'])
    await cp(join(ROOT, name), join(workdir, name), { recursive: true })
  for (const name of ['sql', 'policies', 'seed', 'vendor', 'node_modules'])
    await symlink(join(ROOT, name), join(workdir, name), 'dir')
  for (const name of ['migrations', 'templates'])
    await cp(join(ROOT, 'supabase', name), join(workdir, 'supabase', name), { recursive: true })
  const config = await readFile(join(ROOT, 'supabase', 'config.toml'), 'utf8')
  await writeFile(join(workdir, 'supabase', 'config.toml'), config + STAGE_SETTINGS(api.ref))
  const profile = join(workdir, 'profile.json')
  const addresses = { api_url: api.url, dashboard_url: api.url, project_host: 'example.invalid' }
  await writeFile(profile, JSON.stringify({ name: 'stand-in', ...addresses }))
  return {
    api,
    workdir,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: workdir,
      SUPABASE_HOME: workdir,
      SUPABASE_WORKDIR: workdir,
      SUPABASE_PROFILE: profile,
      SUPABASE_ACCESS_TOKEN: api.token,
      MANAGEMENT_API_URL: api.url,
      PUBLIC_API_URL: project.apiUrl,
      DATABASE_SESSION_URL: project.databaseUrl,
      PIPELINE_SECRET,
      DATABASE_POOL_URL: 'postgresql://postgres@127.0.0.1:6543/postgres',
      SMTP_USER: 'mailer',
      SMTP_PASS: 'an-invented-password',
      ...settings,
    },
    async close() {
      await api.close()
      await rm(workdir, { recursive: true, force: true })
    },
  }
}
