import postgres from 'postgres'
import { readRelease } from '../../../scripts/stage/release.ts'
import {
  deployedSetting,
  type Misconfiguration,
  statement,
  storageOf,
  throughProxy,
  unset,
  withFunction,
  withObject,
  withoutSecret,
  withSecret,
  withSetting,
  withVault,
} from './break-stage.ts'
import { PIPELINE_SECRET } from './hosted-stage.ts'

const DAY_MS = 24 * 3600 * 1000
/** Ways in which a stage can be wrong, one by one. */
export const MISCONFIGURATIONS: Misconfiguration[] = [
  {
    name: 'the functions lack the shared secret',
    found: 'function_secret_missing PIPELINE_SECRET',
    break: withoutSecret('PIPELINE_SECRET'),
  },
  {
    name: 'the functions have no pool',
    found: 'function_secret_missing DATABASE_POOL_URL',
    break: withoutSecret('DATABASE_POOL_URL'),
  },
  {
    name: 'functions and Vault have different secrets',
    found: 'secrets_differ PIPELINE_SECRET',
    break: withSecret('PIPELINE_SECRET', `${PIPELINE_SECRET}-another`),
  },
  {
    name: 'a secret is not the one in the settings',
    found: 'function_secret_outdated EMAIL_FROM',
    break: withSecret('EMAIL_FROM', 'Somebody <else@example.edu>'),
  },
  {
    name: 'the shared secret is short',
    found: 'secret_too_short pipeline_secret',
    async break(ground) {
      const undo = [
        await withSecret('PIPELINE_SECRET', 'short')(ground),
        await withVault('pipeline_secret', 'short')(ground),
      ]
      return () => Promise.all(undo.map((each) => each()))
    },
    seen: (stage) => unset(stage, 'PIPELINE_SECRET'),
  },
  {
    name: 'a provider is half set',
    found: 'provider_incomplete EMAIL_FROM',
    break: withoutSecret('EMAIL_FROM'),
  },
  {
    name: 'nothing sends mail',
    found: 'mail_sender_missing RESEND_API_KEY, EMAIL_FROM',
    break: withoutSecret('RESEND_API_KEY', 'EMAIL_FROM'),
  },
  {
    name: 'the sender is not verified',
    found: 'mail_sender_not_verified example.edu',
    async break({ providers }) {
      providers.domain.status = 'pending'
      return () => {
        providers.domain.status = 'verified'
      }
    },
  },
  {
    name: 'Twilio calls another address',
    found: 'text_webhook_wrong +12025550100',
    async break({ providers }) {
      const before = providers.number.sms_url
      providers.number.sms_url = 'https://demo.twilio.com/welcome/sms/reply'
      return () => {
        providers.number.sms_url = before
      }
    },
  },
  {
    name: 'messages go to an inbox for developers',
    found: 'secret_forbidden INBOX_URL',
    break: withSecret('INBOX_URL', 'http://127.0.0.1:54324'),
  },
  {
    name: 'Vault lacks the shared secret',
    found: 'vault_secret_missing pipeline_secret',
    break: async ({ sql }) => {
      const rename = (from: string, to: string) =>
        sql`select vault.update_secret(id, new_name => ${to}) from vault.secrets where name = ${from}`
      await rename('pipeline_secret', 'elsewhere')
      return () => rename('elsewhere', 'pipeline_secret')
    },
  },
  {
    name: 'the database calls another project',
    found: 'functions_url_wrong functions_url',
    break: withVault('functions_url', 'http://127.0.0.1:9/functions/v1'),
  },
  {
    name: 'links lead elsewhere than the functions think',
    found: 'secrets_differ PUBLIC_PAGES_URL',
    break: withSecret('PUBLIC_PAGES_URL', 'https://pages.example.edu'),
  },
  {
    name: 'a migration is not applied',
    found: 'migration_pending {last}',
    async break({ sql, hosted }) {
      const last = readRelease(hosted.workdir).migrations.at(-1) ?? ''
      const [row] =
        await sql`delete from supabase_migrations.schema_migrations where version = ${last} returning version, name`
      return () => sql`insert into supabase_migrations.schema_migrations ${sql(row ?? {})}`
    },
  },
  {
    name: 'the stage is ahead of the checkout',
    found: 'migration_unknown 99990101000000',
    break: statement(
      "insert into supabase_migrations.schema_migrations (version) values ('99990101000000')",
      "delete from supabase_migrations.schema_migrations where version = '99990101000000'",
    ),
  },
  {
    name: 'a cron job is gone',
    found: 'cron_job_missing purge-expired',
    break: statement(
      "select cron.unschedule('purge-expired')",
      "select cron.schedule('purge-expired', '*/5 * * * *', 'select private.purge_expired()')",
    ),
  },
  {
    name: 'a cron job is switched off',
    found: 'cron_job_inactive dispatch-due-jobs',
    break: statement(
      "select cron.alter_job(jobid, active => false) from cron.job where jobname = 'dispatch-due-jobs'",
      "select cron.alter_job(jobid, active => true) from cron.job where jobname = 'dispatch-due-jobs'",
    ),
  },
  {
    name: 'a cron job runs at another time',
    found: 'cron_job_differs daily-rollup',
    break: statement(
      "select cron.alter_job(jobid, schedule => '0 0 1 1 *') from cron.job where jobname = 'daily-rollup'",
      "select cron.alter_job(jobid, schedule => '12 * * * *') from cron.job where jobname = 'daily-rollup'",
    ),
  },
  {
    name: 'a cron job fails',
    found: 'cron_job_failing assess-compliance',
    break: statement(
      `insert into cron.job_run_details (jobid, runid, job_pid, database, username, command, status, return_message, start_time, end_time)
      select jobid, 1000000000, 1, 'postgres', 'postgres', command, 'failed', 'ERROR: division by zero', now() + interval '1 day', now() + interval '1 day'
      from cron.job where jobname = 'assess-compliance'`,
      'delete from cron.job_run_details where runid = 1000000000',
      'admin',
    ),
  },
  {
    name: 'PostgREST asks nobody first',
    found: 'pre_request_missing pgrst.db_pre_request',
    break: statement(
      'alter role authenticator reset pgrst.db_pre_request',
      "alter role authenticator set pgrst.db_pre_request = 'public.check_request'",
      'admin',
    ),
  },
  {
    name: 'most connections are in use',
    found: 'connections_near_limit connections',
    async break({ project, sql }) {
      const [row] = await sql<{ free: number }[]>`
        select ceil(0.85 * current_setting('max_connections')::int)::int
          - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as free`
      const many = postgres(project.databaseUrl, { max: row?.free ?? 0, onnotice: () => {} })
      const held = await Promise.all(Array.from({ length: row?.free ?? 0 }, () => many.reserve()))
      return async () => {
        for (const each of held) each.release()
        await many.end({ timeout: 5 })
      }
    },
  },
  {
    name: 'the clocks are apart',
    found: 'clock_differs clock',
    break: async () => () => {},
    seen: (stage) => ({ ...stage, now: () => new Date(Date.now() + 3_600_000) }),
  },
  {
    name: 'a bucket is gone',
    found: 'bucket_missing exports',
    async break(ground) {
      const storage = storageOf(ground)
      const { data: before } = await storage.getBucket('exports')
      await storage.deleteBucket('exports')
      return () =>
        storage.createBucket('exports', { public: false, fileSizeLimit: before?.file_size_limit ?? null })
    },
  },
  {
    name: 'a bucket is public',
    found: 'bucket_differs check-in-media',
    break: statement(
      "update storage.buckets set public = true where id = 'check-in-media'",
      "update storage.buckets set public = false where id = 'check-in-media'",
      'admin',
    ),
  },
  {
    name: 'a file that the functions load is gone',
    found: 'asset_missing analysis-assets/aac.wasm',
    break: withObject('aac.wasm', null),
  },
  {
    name: 'a file that the functions load is an older one',
    found: 'asset_different analysis-assets/aac.wasm',
    break: withObject('aac.wasm', 'an older one'),
  },
  {
    name: 'a function is not deployed',
    found: 'function_missing buddy',
    async break({ hosted: { api } }) {
      const before = api.functions.get('buddy')
      api.functions.delete('buddy')
      return () => before && api.functions.set('buddy', before)
    },
  },
  {
    name: 'a function was deployed from elsewhere',
    found: 'function_outdated checkins',
    break: withFunction('checkins', { ezbr_sha256: 'f'.repeat(64) }),
  },
  {
    name: 'a function is paused',
    found: 'function_inactive api',
    break: withFunction('api', { status: 'THROTTLED' }),
  },
  {
    name: 'the platform verifies tokens before a function',
    found: 'function_verifies_jwt pipeline-text',
    break: withFunction('pipeline-text', { verify_jwt: true }),
  },
  {
    name: 'a function is deployed that nobody knows',
    found: 'function_unknown hello-world',
    async break({ hosted: { api } }) {
      const like = api.functions.get('api')
      if (!like) throw new Error('api is not deployed')
      api.functions.set('hello-world', { ...like, slug: 'hello-world' })
      return () => api.functions.delete('hello-world')
    },
  },
  {
    name: 'a function does not start',
    found: 'function_not_answering remove-objects',
    ...throughProxy('/remove-objects', { status: 503, type: 'application/json' }),
  },
  {
    name: 'pages come as text',
    found: 'pages_unreadable {functions}/api/docs',
    ...throughProxy('/api/docs', { status: 200, type: 'text/plain' }),
  },
  {
    name: 'Realtime takes public channels',
    found: 'realtime_public_channels private_only',
    break: withSetting('realtime', 'private_only', false),
  },
  {
    name: 'Auth ignores the addresses of clients',
    found: 'client_addresses_ignored security_sb_forwarded_for_enabled',
    break: withSetting('auth', 'security_sb_forwarded_for_enabled', false),
  },
  {
    name: 'a setting was changed in the dashboard',
    found: 'setting_differs auth.minimum_password_length',
    break: withSetting('auth', 'password_min_length', 6),
  },
  {
    name: 'the exposed schemas were changed',
    found: 'setting_differs api.schemas',
    break: withSetting('api', 'db_schema', 'public,checkin,private'),
  },
  {
    name: 'Auth sends people to their own machine',
    found: 'site_url_local site_url',
    break: deployedSetting(
      'https://app.example.edu',
      'http://127.0.0.1:3000',
      'site_url',
      'http://127.0.0.1:3000',
    ),
  },
  {
    name: 'Auth sends people anywhere on their own machine',
    found: 'redirect_address_unsafe http://localhost:5173',
    break: deployedSetting(
      'additional_redirect_urls = []',
      'additional_redirect_urls = ["http://localhost:5173"]',
      'uri_allow_list',
      'http://localhost:5173',
    ),
  },
  {
    name: 'the platform is not well',
    found: 'project_unhealthy abcdefghijklmnopqrst',
    async break({ hosted: { api } }) {
      api.settings.status = 'ACTIVE_UNHEALTHY'
      return () => {
        api.settings.status = 'ACTIVE_HEALTHY'
      }
    },
  },
  {
    name: 'an advisor warns',
    found: 'advisor_rls_disabled_in_public rls_disabled_in_public',
    async break({ hosted: { api } }) {
      const detail = 'Table public.notes is public, but RLS has not been enabled.'
      api.settings.lints.push({
        name: 'rls_disabled_in_public',
        level: 'ERROR',
        title: 'RLS disabled',
        detail,
      })
      return () => api.settings.lints.pop()
    },
  },
  {
    name: 'a key is old',
    found: 'key_old key default',
    async break({ hosted: { api } }) {
      const before = api.keys.since
      api.keys.since = new Date(Date.now() - 400 * DAY_MS)
      return () => {
        api.keys.since = before
      }
    },
  },
  {
    name: 'the replacement of a secret was not ended',
    found: 'secret_left_over PIPELINE_SECRET_PREVIOUS',
    break: withSecret(
      'PIPELINE_SECRET_PREVIOUS',
      `${PIPELINE_SECRET}-before`,
      new Date(Date.now() - 3 * DAY_MS),
    ),
  },
  {
    name: 'the replacement of a secret was not ended in Vault',
    found: 'secret_left_over pipeline_secret_next',
    break: statement(
      `select vault.create_secret('of-last-week', 'pipeline_secret_next');
      update vault.secrets set updated_at = now() - interval '3 days' where name = 'pipeline_secret_next'`,
      "delete from vault.secrets where name = 'pipeline_secret_next'",
      'admin',
    ),
  },
  {
    name: 'a university is in no country',
    found: 'university_without_country northfield',
    break: statement(
      "update public.universities set country = null where id = 'northfield'",
      "update public.universities set country = 'US' where id = 'northfield'",
    ),
  },
  {
    name: 'nobody at a university hears of a high risk',
    found: 'university_without_contact eastbrook',
    break: statement(
      `create table private.contacts_before as select * from private.crisis_contacts where university_id = 'eastbrook';
      delete from private.crisis_contacts where university_id = 'eastbrook';
      update public.universities set support_email = null where id = 'eastbrook'`,
      `insert into private.crisis_contacts select * from private.contacts_before;
      drop table private.contacts_before;
      update public.universities set support_email = 'support@eastbrook.example.edu' where id = 'eastbrook'`,
    ),
  },
  {
    name: 'a secret is old',
    found: 'key_old TWILIO_AUTH_TOKEN',
    async break({ hosted: { api } }) {
      const held = api.secrets.get('TWILIO_AUTH_TOKEN')
      if (!held) throw new Error('TWILIO_AUTH_TOKEN is not set')
      const before = held.updatedAt
      held.updatedAt = new Date(Date.now() - 400 * DAY_MS)
      return () => {
        held.updatedAt = before
      }
    },
  },
]
