import { type AttackedStack, times } from '../../../harness/factories/attacked-stack.ts'
import { logAccess, newStaff, newStudent } from '../../../harness/factories/students.ts'
import { type Attack, asPerson, minutePasses } from './plays.ts'

/** Changes the database as its superuser, and how to put it back. */
function change(name: string, type: string, statement: string, back: string): Attack {
  return {
    name,
    type,
    async run({ sql }: AttackedStack) {
      await sql.unsafe(statement)
      return () => sql.unsafe(back)
    },
  }
}

/** Past the triggers that keep the audit log as it is. */
const unguarded = (statement: string) =>
  `set session_replication_role = replica; ${statement}; set session_replication_role = origin`

const REDEFINED = `create or replace function private.is_security_admin() returns boolean language sql stable
  security definer set search_path = '' as $$ select true $$`

/** Attacks of people who are let in: staff, and whoever has got hold of the database. */
export const FROM_INSIDE: Attack[] = [
  {
    name: 'a counselor reads every student',
    type: 'data_exfiltration',
    async run(stack) {
      const counselor = await newStaff(stack.project, 'counselor')
      const students = await stack.accounts(110)
      await times(110, async (index) => {
        if (index % 40 === 0) await minutePasses(stack, counselor)
        const student_id = students[index]?.id ?? ''
        await logAccess(counselor, { action: 'student_read', student_id })
        await counselor.client.rpc('read_student', { student_id })
      })
      return undefined
    },
  },
  {
    name: 'a counselor pages through all lists',
    type: 'data_exfiltration',
    async run(stack) {
      const counselor = await newStaff(stack.project, 'counselor')
      await times(105, async (index) => {
        if (index % 80 === 0) await minutePasses(stack, counselor)
        await logAccess(counselor, {
          action: 'students_listed',
          university_id: 'northfield',
          page_offset: index,
        })
      })
      return undefined
    },
  },
  {
    name: 'an administrator of a university grants himself another role',
    type: 'privilege_escalation',
    async run(stack) {
      const { id } = await newStaff(stack.project, 'university_admin')
      // The last one of a university could not be removed afterwards.
      await newStaff(stack.project, 'university_admin')
      await asPerson(
        stack,
        id,
        `insert into public.user_roles (user_id, role) values ('${id}', 'security_admin')`,
      )
      return () => stack.sql`delete from public.user_roles where user_id = ${id}`
    },
  },
  {
    name: 'a security administrator makes herself a counselor',
    type: 'privilege_escalation',
    async run(stack) {
      const { id } = await newStaff(stack.project, 'security_admin')
      await asPerson(
        stack,
        id,
        `insert into public.user_roles (user_id, role, university_id) values ('${id}', 'counselor', 'northfield')`,
      )
      return () => stack.sql`delete from public.user_roles where user_id = ${id}`
    },
  },
  {
    name: 'a student makes a friend a counselor',
    type: 'privilege_escalation',
    async run(stack) {
      const [student, friend] = [await newStudent(stack.project, []), await newStudent(stack.project, [])]
      await asPerson(
        stack,
        student.id,
        `insert into public.user_roles (user_id, role, university_id) values ('${friend.id}', 'counselor', 'northfield')`,
      )
      return undefined
    },
  },
  change(
    'row-level security is switched off',
    'system_compromise',
    'alter table public.profiles disable row level security',
    'alter table public.profiles enable row level security',
  ),
  change(
    'a policy lets everybody in',
    'privilege_escalation',
    `create policy "everything" on public.clinical_reviews for update to authenticated using (true)`,
    `drop policy "everything" on public.clinical_reviews`,
  ),
  change(
    'a table is granted to everybody',
    'privilege_escalation',
    'grant select on public.profiles to anon',
    'revoke select on public.profiles from anon',
  ),
  change(
    'a private function is granted to everybody',
    'privilege_escalation',
    'grant execute on function private.detect_incidents(timestamptz) to anon',
    'revoke execute on function private.detect_incidents(timestamptz) from anon',
  ),
  {
    name: 'a function that decides who acts is redefined',
    type: 'system_compromise',
    async run({ sql }) {
      const [row] = await sql<{ source: string }[]>`
        select pg_get_functiondef('private.is_security_admin()'::regprocedure) as source`
      await sql.unsafe(REDEFINED)
      return () => sql.unsafe(row?.source ?? '')
    },
  },
  change(
    'the trigger that logs roles is switched off',
    'system_compromise',
    'alter table public.user_roles disable trigger audit_role_granted',
    'alter table public.user_roles enable trigger audit_role_granted',
  ),
  change(
    'a scheduled job is taken out',
    'system_compromise',
    `select cron.unschedule('verify-audit-log')`,
    `select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()')`,
  ),
  {
    name: 'an old entry of the audit log is altered',
    type: 'system_compromise',
    async run({ sql }) {
      const [row] = await sql<{ id: string; request_id: string | null }[]>`
        select id, request_id from public.audit_logs order by id offset 3 limit 1`
      await sql.unsafe(unguarded(`update public.audit_logs set request_id = 'altered' where id = ${row?.id}`))
      const before = row?.request_id === null ? 'null' : `'${row?.request_id}'`
      return () =>
        sql.unsafe(unguarded(`update public.audit_logs set request_id = ${before} where id = ${row?.id}`))
    },
  },
  {
    name: 'the last entry of the audit log is deleted',
    type: 'system_compromise',
    async run({ sql }) {
      const [row] = await sql<{ id: string; entry: string }[]>`
        select id, to_jsonb(l)::text as entry from public.audit_logs l order by id desc limit 1`
      await sql.unsafe(unguarded(`delete from public.audit_logs where id = ${row?.id}`))
      // Entries that were written meanwhile stand in its place, and in that of the next one.
      return () =>
        sql.unsafe(
          unguarded(`insert into public.audit_logs
            select * from jsonb_populate_record(null::public.audit_logs, $entry$${row?.entry}$entry$::jsonb)
            on conflict do nothing`),
        )
    },
  },
  change(
    'a rule of detection is switched off',
    'suspicious_activity',
    `update private.detection_rules set enabled = false where rule = 'mass_reading'`,
    `update private.detection_rules set enabled = true where rule = 'mass_reading'`,
  ),
  {
    name: 'an erasure is held back',
    type: 'compliance_violations',
    async run({ sql, accounts }) {
      const [person] = await accounts(1)
      await sql`
        insert into private.erasures (user_id, source, requested_at, final_at, next_attempt_at)
        values (${person?.id ?? ''}, 'person', now() - interval '6 days', now() - interval '3 days', now() + interval '9 days')`
      return () => sql`delete from private.erasures where user_id = ${person?.id ?? ''}`
    },
  },
  {
    name: 'retention is held up unseen',
    type: 'compliance_violations',
    async run({ sql }) {
      const held = await sql.reserve()
      await held`begin`
      await held`lock table private.retention_rules in access exclusive mode`
      await sql`update cron.job_run_details set end_time = now() - interval '3 hours' where end_time is not null`
      await sql`
        insert into cron.job_run_details (jobid, command, status, start_time, end_time)
        select jobid, command, 'succeeded', now() - interval '3 hours', now() - interval '3 hours'
        from cron.job where jobname = 'purge-expired'`
      return async () => {
        await held`commit`
        held.release()
        await sql`update cron.job_run_details set end_time = now() where end_time < now() - interval '2 hours'`
      }
    },
  },
]
