import * as z from 'zod'
import type { Release } from '../stage/release.ts'
import type { Stage } from '../stage/stage.ts'
import type { Check, Finding } from './finding.ts'

/** How many of the database's connections may be in use before it is a finding. */
const CONNECTIONS_IN_USE = 0.8
/** How far the database's clock may be from this machine's, seconds. */
const CLOCK_DIFFERENCE = 30

/** Versions of the migrations that a stage has. */
export async function appliedMigrations({ query }: Pick<Stage, 'query'>): Promise<string[]> {
  const [history] = await query(
    z.object({ exists: z.boolean() }),
    `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
  )
  if (!history?.exists) return []
  const rows = await query(
    z.object({ version: z.string() }),
    'select version from supabase_migrations.schema_migrations order by version',
  )
  return rows.map(({ version }) => version)
}

export function pendingMigrations({ migrations }: Release, applied: string[]): string[] {
  return migrations.filter((version) => !applied.includes(version))
}

export const migrations: Check = {
  name: 'migrations',
  needsPlatform: false,
  async read(stage) {
    const applied = await appliedMigrations(stage)
    const unknown = applied.filter((version) => !stage.release.migrations.includes(version))
    return [
      ...pendingMigrations(stage.release, applied).map((version) => ({
        id: 'migration_pending',
        about: version,
        problem: `Migration ${version} is not applied`,
        mend: 'npm run deploy -- --stage NAME --only database',
      })),
      ...unknown.map((version) => ({
        id: 'migration_unknown',
        about: version,
        problem: `The stage has migration ${version}, which this checkout does not`,
        mend: 'Check out what was deployed, or what is newer',
      })),
    ]
  },
}

const job = z.object({
  name: z.string(),
  schedule: z.string(),
  command: z.string(),
  active: z.boolean(),
  failure: z.string().nullable(),
})

export const cronJobs: Check = {
  name: 'cron jobs',
  needsPlatform: false,
  async read({ query, release }) {
    const jobs = await query(
      job,
      `select j.jobname as name, j.schedule, j.command, j.active,
        case when r.status = 'failed' then coalesce(r.return_message, '') end as failure
      from cron.job j
      left join (
        select distinct on (jobid) jobid, status, return_message from cron.job_run_details
        where end_time is not null order by jobid, end_time desc, runid desc
      ) r using (jobid)
      where j.jobname is not null`,
    )
    return release.cronJobs.flatMap((declared): Finding[] => {
      const found = jobs.find(({ name }) => name === declared.name)
      const finding = (id: string, problem: string, mend: string) => [
        { id, about: declared.name, problem: `Cron job ${declared.name} ${problem}`, mend },
      ]
      const schedule = `select cron.schedule('${declared.name}', '${declared.schedule}', $job$${declared.command}$job$)`
      if (!found) return finding('cron_job_missing', 'does not exist', schedule)
      if (!found.active)
        return finding(
          'cron_job_inactive',
          'is switched off',
          `select cron.alter_job(jobid, active => true) from cron.job where jobname = '${declared.name}'`,
        )
      if (found.schedule !== declared.schedule || found.command.trim() !== declared.command.trim())
        return finding('cron_job_differs', `runs "${found.command}" at "${found.schedule}"`, schedule)
      if (found.failure !== null)
        return finding(
          'cron_job_failing',
          `failed when it ran last: ${found.failure.split('\n')[0]}`,
          'Run its command in the SQL editor, and mend what it says',
        )
      return []
    })
  },
}

const state = z.object({
  used: z.number(),
  available: z.number(),
  epoch: z.number(),
  pre_request: z.boolean(),
})

export const databaseState: Check = {
  name: 'connections, clock, settings of the database',
  needsPlatform: false,
  async read({ query, now }) {
    const before = now().getTime()
    const [row] = await query(
      state,
      `select
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as available,
        extract(epoch from clock_timestamp())::float8 as epoch,
        exists (
          select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
        ) as pre_request`,
    )
    const after = now().getTime()
    if (!row) throw new Error('The database answered nothing')
    const findings: Finding[] = []
    if (row.used > CONNECTIONS_IN_USE * row.available)
      findings.push({
        id: 'connections_near_limit',
        about: 'connections',
        problem: `${row.used} of ${row.available} connections are in use`,
        mend: 'See who holds them in pg_stat_activity; docs/scaling.md#connections',
      })
    // The answer was made between the two readings.
    const behind = Math.max(before / 1000 - row.epoch, row.epoch - after / 1000, 0)
    if (behind > CLOCK_DIFFERENCE)
      findings.push({
        id: 'clock_differs',
        about: 'clock',
        problem: `The clocks of the database and of this machine are ${Math.round(behind)} s apart`,
        mend: 'Compare this machine with a time server; if it is right, tell the platform',
      })
    if (!row.pre_request)
      findings.push({
        id: 'pre_request_missing',
        about: 'pgrst.db_pre_request',
        problem: 'PostgREST does not call public.check_request: blocks and security policies do not reach it',
        mend: "alter role authenticator set pgrst.db_pre_request = 'public.check_request'; notify pgrst, 'reload config'",
      })
    return findings
  },
}

const university = z.object({ id: z.string(), has_country: z.boolean(), has_contact: z.boolean() })

export const universities: Check = {
  name: 'universities',
  needsPlatform: false,
  async read({ query }) {
    const mend = 'docs/deployment.md#universities-and-staff'
    const rows = await query(
      university,
      `select
        u.id,
        u.country is not null as has_country,
        coalesce(btrim(u.support_email), '') <> ''
          or exists (select from private.crisis_contacts c where c.university_id = u.id) as has_contact
      from public.universities u
      order by u.id`,
    )
    if (rows.length === 0) {
      const problem = 'There is no university: nobody belongs anywhere, and no crisis contact is notified'
      return [{ id: 'university_missing', about: 'universities', problem, mend }]
    }
    return rows.flatMap(({ id, has_country, has_contact }): Finding[] => [
      ...(has_country
        ? []
        : [
            {
              id: 'university_without_country',
              about: id,
              problem: `University ${id} has no country: its students are shown 112 as the emergency number, wherever they are`,
              mend,
            },
          ]),
      ...(has_contact
        ? []
        : [
            {
              id: 'university_without_contact',
              about: id,
              problem: `University ${id} has neither crisis contacts nor a support_email: nobody hears of a high risk`,
              mend,
            },
          ]),
    ])
  },
}
