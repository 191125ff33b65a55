import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PROBES } from '../../../functions/_shared/security-tests/test.ts'
import { type ProbeId, probed, whileBroken } from '../../../harness/factories/security-tests.ts'
import { newStaff, type Student } from '../../../harness/factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { dose } from '../../depth.ts'

/** A fault that is put into the project, what mends it, and what a probe has to call it. */
type Fault = { probe: ProbeId; finds: string; breaks: string; mends: string }

const openPolicy = (table: string, action: string, check = 'using'): Pick<Fault, 'breaks' | 'mends'> => ({
  breaks: `create policy "open by mistake" on ${table} for ${action} to authenticated ${check} (true)`,
  mends: `drop policy "open by mistake" on ${table}`,
})

/** Puts another text into a function, and back. */
const changedFunction = (name: string, from: string, to: string): Pick<Fault, 'breaks' | 'mends'> => {
  const change = (before: string, after: string) => `
    do $do$
    declare
      definition text := pg_get_functiondef('${name}'::regprocedure);
    begin
      if strpos(definition, $q$${before}$q$) = 0 then
        raise exception 'The function has no such text';
      end if;
      execute replace(definition, $q$${before}$q$, $q$${after}$q$);
    end
    $do$`
  return { breaks: change(from, to), mends: change(to, from) }
}

const FAULTS: Fault[] = [
  {
    probe: 'other_students_rows',
    finds: 'public.consents:select',
    ...openPolicy('public.consents', 'select'),
  },
  {
    probe: 'ended_tokens',
    finds: 'signed_out:rest',
    ...changedFunction(
      'private.signed_in_account()',
      "if pg_input_is_valid(claims ->> 'session_id', 'uuid')",
      "if true or pg_input_is_valid(claims ->> 'session_id', 'uuid')",
    ),
  },
  {
    probe: 'other_students_files',
    finds: 'check-in-images:public',
    breaks: `update storage.buckets set public = true where id = 'check-in-images'`,
    mends: `update storage.buckets set public = false where id = 'check-in-images'`,
  },
  {
    probe: 'replayed_links',
    finds: 'buddy-link:replayed',
    ...changedFunction(
      'private.answer_request(text, text, timestamptz)',
      "if state <> 'open' then",
      'if false then',
    ),
  },
  {
    probe: 'role_escalation',
    finds: 'profiles:university',
    breaks: 'grant update (university_id) on public.profiles to authenticated',
    mends: 'revoke update (university_id) on public.profiles from authenticated',
  },
  {
    probe: 'hidden_schemas',
    finds: 'anon:public.audit_logs',
    breaks: 'grant select on public.audit_logs to anon',
    mends: 'revoke select on public.audit_logs from anon',
  },
  {
    probe: 'rate_limits',
    finds: 'bulk:unlimited',
    breaks: `update private.rate_limit_rules set period = '1 millisecond' where scope = 'bulk'`,
    mends: `update private.rate_limit_rules set period = '1 minute' where scope = 'bulk'`,
  },
  {
    probe: 'other_students_channels',
    finds: 'account:token',
    ...openPolicy('realtime.messages', 'select'),
  },
  {
    probe: 'other_students_files',
    finds: 'check-in-media:read',
    ...openPolicy('storage.objects', 'select'),
  },
  {
    probe: 'other_students_rows',
    finds: 'checkin.fusion_results:select',
    breaks: 'alter table checkin.fusion_results disable row level security',
    mends: 'alter table checkin.fusion_results enable row level security',
  },
  {
    probe: 'other_students_rows',
    finds: 'public.consents:insert',
    ...openPolicy('public.consents', 'insert', 'with check'),
  },
  {
    probe: 'role_escalation',
    finds: 'role_held',
    breaks: `grant insert on public.user_roles to authenticated;
      create policy "open by mistake" on public.user_roles for insert to authenticated with check (true)`,
    mends: `revoke insert on public.user_roles from authenticated;
      drop policy "open by mistake" on public.user_roles`,
  },
  {
    probe: 'hidden_schemas',
    finds: 'schema:private',
    breaks: `alter role authenticator set pgrst.db_schemas = 'public, checkin, private'; notify pgrst, 'reload config'`,
    mends: `alter role authenticator reset pgrst.db_schemas; notify pgrst, 'reload config'`,
  },
]

describe('security tests', localOnly('puts faults into the project'), () => {
  let project: ConfiguredStack
  let admin: Student

  beforeAll(async () => {
    project = await startConfiguredStack({})
    admin = await newStaff(project, 'security_admin')
  })
  afterAll(() => project.stop())

  test('find nothing in the project as it is, and leave nothing behind', async () => {
    const run = await probed(project, admin, PROBES)
    expect(
      run.results.map(({ probe, status, findings, error_code }) => ({ probe, status, findings, error_code })),
    ).toEqual(PROBES.map((probe) => ({ probe, status: 'passed', findings: [], error_code: null })))
    await withDatabase(project, async (sql) => {
      // Files are removed by their own worker.
      await vi.waitFor(
        async () => {
          const traces = await sql`
            select t.* from private.probe_accounts a
            cross join lateral private.traces_of(a.user_id, a.part || '@probe.invalid', null) t where a.run_id = ${run.id}`
          expect(traces).toEqual([])
        },
        { timeout: 60_000, interval: 500 },
      )
      const [left] = await sql`
        select
          (select count(*)::int from auth.users where email like '%probe.invalid') as accounts,
          (select count(*)::int from private.outbox) as messages,
          (select count(*)::int from private.erasures) as erasures,
          (select count(*)::int from public.security_incidents) as incidents,
          (
            select count(*)::int from private.security_events e
            join private.probe_accounts a on a.user_id = e.account
          ) as events,
          (select count(*)::int from public.cohort_days) as figures`
      expect(left).toEqual({ accounts: 0, messages: 0, erasures: 0, incidents: 0, events: 0, figures: 0 })
    })
  })

  test.each(FAULTS.slice(0, dose(4, FAULTS.length)))(
    'find $finds while it is there',
    async ({ probe, finds, breaks, mends }) => {
      const run = await whileBroken(project, { breaks, mends }, () => probed(project, admin, [probe]))
      expect(run.results[0]?.findings.map(({ fault }) => fault)).toContain(finds)
    },
  )

  test('end when their worker is killed in the middle', async () => {
    const ended = probed(project, admin, ['rate_limits'])
    await withDatabase(project, async (sql) => {
      await vi.waitFor(
        async () => {
          const running = await sql`select from public.security_test_results where status = 'running'`
          expect(running.length).toBe(1)
        },
        { timeout: 60_000, interval: 100 },
      )
      expect(project.kill('probe-security')).toBe(true)
      // As if the lease of the lost worker were over.
      await sql`update public.security_test_results set due_at = now() where status = 'running'`
      await sql`select private.advance_security_tests(now())`
    })
    const [result] = (await ended).results
    expect(result).toMatchObject({ status: 'passed', attempts: 2 })
  })
})
