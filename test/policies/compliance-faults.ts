/** Something that is wrong, and the controls that say so. */
export type Fault = {
  name: string
  inject: string
  /** Undoes it. */
  mend: string
  /** The controls whose automated status changes, with what it becomes. */
  turns: Readonly<Record<string, 'partial' | 'non_compliant'>>
}

const ADMIN = '00000000-0000-4000-8000-00000000000a'
const STUDENT = '00000000-0000-4000-8000-00000000000b'
const COUNSELOR = '00000000-0000-4000-8000-00000000000c'
const CHECK_IN = '00000000-0000-4000-8000-0000000000c1'

/** Past the triggers that keep it from happening. */
const unguarded = (statement: string) =>
  `set session_replication_role = replica; ${statement}; set session_replication_role = origin`

/** A database of which everything that can be assessed without other parts of the service is right. */
export const RIGHT = `
  insert into public.universities (id, name, short_name, domain, support_email)
  values ('hillside', 'Hillside University (invented)', 'Hillside', 'hillside.example.edu', 'support@hillside.example.edu');
  insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at, encrypted_password)
  values
    ('${ADMIN}', 'admin@hillside.example.edu', 'authenticated', 'authenticated', '{}', now(), '$2a$10$invented'),
    ('${STUDENT}', 'student@hillside.example.edu', 'authenticated', 'authenticated', '{}', now(), '$2a$10$invented'),
    ('${COUNSELOR}', 'counselor@hillside.example.edu', 'authenticated', 'authenticated', '{}', now(), '$2a$10$invented');
  insert into public.user_roles (user_id, role) values ('${ADMIN}', 'security_admin');
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
  values (gen_random_uuid(), '${ADMIN}', 'phone', 'totp', 'verified', now(), now(), 'invented');
  insert into storage.buckets (id, name, public, file_size_limit) values ('exports', 'exports', false, 1000);
  ${unguarded("insert into public.security_test_runs (test_id, status, ended_at) values ('tst_all_probes', 'completed', now())")};
  select vault.create_secret('http://127.0.0.1:9', 'functions_url'), vault.create_secret('invented-secret', 'pipeline_secret');
  select private.tell_compliance(fact, now() - interval '1 hour', 'an invented document')
  from unnest(array['backup', 'restore_test', 'risk_analysis', 'impact_assessment', 'encryption_at_rest', 'access_review',
    'incident_exercise']) as fact;`

const GATE = `create policy "accounts are let in, and names lead to the object itself" on storage.objects
  as restrictive for all to authenticated using ((select private.current_account()) is not null and private.is_object_name(name))`

const triggerOff = (relation: string, name: string) => ({
  inject: `alter table ${relation} disable trigger ${name}`,
  mend: `alter table ${relation} enable trigger ${name}`,
})

const told = (fact: string, ago: string) => ({
  inject: `update private.compliance_facts set happened_at = now() - interval '${ago}' where fact = '${fact}'`,
  mend: `update private.compliance_facts set happened_at = now() - interval '1 hour' where fact = '${fact}'`,
})

const kept = (kind: string, wrong: string, right: string) => ({
  inject: `update private.retention_rules set keep = '${wrong}' where kind = '${kind}'`,
  mend: `update private.retention_rules set keep = '${right}' where kind = '${kind}'`,
})

const checkIn = (times: string) => `
  insert into checkin.check_ins (id, user_id, type, status, created_at, expires_at, submitted_at, completed_at)
  values ('${CHECK_IN}', '${STUDENT}', 'daily', ${times})`

const withoutCheckIn = `delete from checkin.check_ins where id = '${CHECK_IN}'`

export const FAULTS: readonly Fault[] = [
  {
    name: 'row-level security is off on a table',
    inject: 'alter table checkin.check_ins disable row level security',
    mend: 'alter table checkin.check_ins enable row level security',
    turns: {
      ctl_hipaa_164_312_a_1: 'non_compliant',
      ctl_gdpr_9: 'non_compliant',
      ctl_gdpr_32_1_b: 'non_compliant',
      ctl_soc2_cc6_1: 'non_compliant',
    },
  },
  {
    name: 'a policy lets everybody in',
    inject: 'create policy everybody on public.profiles for select to authenticated using (true)',
    mend: 'drop policy everybody on public.profiles',
    turns: {
      ctl_hipaa_164_312_a_1: 'non_compliant',
      ctl_gdpr_9: 'non_compliant',
      ctl_gdpr_32_1_b: 'non_compliant',
      ctl_soc2_cc6_1: 'non_compliant',
    },
  },
  {
    name: 'a policy asks the token alone who the caller is',
    inject: 'create policy own on public.profiles for delete to authenticated using (user_id = auth.uid())',
    mend: 'drop policy own on public.profiles',
    turns: { ctl_hipaa_164_312_a_1: 'partial', ctl_gdpr_32_1_b: 'partial', ctl_soc2_cc6_1: 'partial' },
  },
  {
    name: 'a column can be read without signing in',
    inject: 'grant select (user_id) on public.students to anon',
    mend: 'revoke select (user_id) on public.students from anon',
    turns: {
      ctl_hipaa_164_308_a_4: 'non_compliant',
      ctl_gdpr_25: 'non_compliant',
      ctl_soc2_cc6_6: 'non_compliant',
    },
  },
  {
    name: 'the schema private is open',
    inject: 'grant usage on schema private to authenticated',
    mend: 'revoke usage on schema private from authenticated',
    turns: {
      ctl_hipaa_164_308_a_4: 'non_compliant',
      ctl_gdpr_25: 'non_compliant',
      ctl_soc2_cc6_3: 'non_compliant',
    },
  },
  {
    name: 'clients may empty a table',
    inject: 'grant truncate on public.consents to authenticated',
    mend: 'revoke truncate on public.consents from authenticated',
    turns: { ctl_hipaa_164_312_a_1: 'non_compliant', ctl_soc2_cc6_1: 'non_compliant' },
  },
  {
    name: 'an exposed function runs with the rights of its owner',
    inject: `create function public.everybody() returns setof public.profiles language sql security definer set search_path = ''
      as 'select * from public.profiles'; revoke execute on function public.everybody() from public, anon;
      grant execute on function public.everybody() to authenticated`,
    mend: 'drop function public.everybody()',
    turns: {
      ctl_hipaa_164_312_a_1: 'non_compliant',
      ctl_gdpr_32_1_b: 'non_compliant',
      ctl_soc2_cc6_1: 'non_compliant',
    },
  },
  {
    name: 'a function can be called without signing in',
    inject: `create function public.hello() returns text language sql set search_path = '' as $$ select 'hello' $$;
      grant execute on function public.hello() to anon`,
    mend: 'drop function public.hello()',
    turns: {
      ctl_hipaa_164_308_a_4: 'non_compliant',
      ctl_gdpr_25: 'non_compliant',
      ctl_soc2_cc6_6: 'non_compliant',
    },
  },
  {
    name: 'a function has no search path of its own',
    inject: `create function private.hello() returns text language sql as $$ select 'hello' $$`,
    mend: 'drop function private.hello()',
    turns: { ctl_hipaa_164_312_a_1: 'partial', ctl_soc2_cc6_1: 'partial' },
  },
  {
    name: 'a view passes policies by',
    inject:
      'create view public.names as select first_name from public.profiles; grant select on public.names to authenticated',
    mend: 'drop view public.names',
    turns: {
      ctl_hipaa_164_312_a_1: 'non_compliant',
      ctl_gdpr_25: 'non_compliant',
      ctl_soc2_cc6_1: 'non_compliant',
    },
  },
  {
    name: 'files are open to banned accounts',
    inject: 'drop policy "accounts are let in, and names lead to the object itself" on storage.objects',
    mend: GATE,
    turns: {
      ctl_hipaa_164_312_a_1: 'non_compliant',
      ctl_gdpr_32_1_b: 'non_compliant',
      ctl_soc2_cc6_2: 'non_compliant',
    },
  },
  {
    name: 'a bucket is public',
    inject: `update storage.buckets set public = true where id = 'exports'`,
    mend: `update storage.buckets set public = false where id = 'exports'`,
    turns: {
      ctl_hipaa_164_312_a_1: 'non_compliant',
      ctl_gdpr_25: 'non_compliant',
      ctl_soc2_cc6_7: 'non_compliant',
    },
  },
  {
    name: 'a table has no primary key',
    inject: 'alter table private.audit_head drop constraint audit_head_pkey',
    mend: 'alter table private.audit_head add constraint audit_head_pkey primary key (only_row)',
    turns: { ctl_hipaa_164_312_c_1: 'partial', ctl_soc2_pi1_5: 'partial' },
  },
  {
    name: 'a column is in no inventory',
    inject: 'alter table public.profiles add nickname text',
    mend: 'alter table public.profiles drop nickname',
    turns: { ctl_gdpr_30: 'partial', ctl_soc2_c1_1: 'partial' },
  },
  {
    name: 'a counselor has no second factor',
    inject: `insert into public.user_roles (user_id, role, university_id) values ('${COUNSELOR}', 'counselor', 'hillside')`,
    mend: `delete from public.user_roles where user_id = '${COUNSELOR}' and role = 'counselor'`,
    turns: {
      ctl_hipaa_164_312_d: 'non_compliant',
      ctl_gdpr_32_1_b: 'non_compliant',
      ctl_soc2_cc6_1: 'non_compliant',
    },
  },
  {
    name: 'the only security administrator is banned',
    inject: unguarded(`update auth.users set banned_until = now() + interval '1 day' where id = '${ADMIN}'`),
    mend: `update auth.users set banned_until = null where id = '${ADMIN}'`,
    turns: { ctl_hipaa_164_308_a_2: 'non_compliant', ctl_soc2_cc6_3: 'non_compliant' },
  },
  {
    name: 'passwords may be guessed',
    inject: `update private.rate_limit_rules set requests = 1000 where scope = 'sign-in'`,
    mend: `update private.rate_limit_rules set requests = 10 where scope = 'sign-in'`,
    turns: {
      ctl_hipaa_164_308_a_5_ii_c: 'non_compliant',
      ctl_gdpr_32_1_b: 'non_compliant',
      ctl_soc2_cc6_6: 'non_compliant',
    },
  },
  {
    name: 'a secret is missing',
    inject: `delete from vault.secrets where name = 'number_hash_key'`,
    mend: `select vault.create_secret('invented-secret', 'number_hash_key')`,
    turns: {
      ctl_hipaa_164_312_e_1: 'non_compliant',
      ctl_gdpr_32_1_a: 'non_compliant',
      ctl_soc2_cc6_1: 'non_compliant',
    },
  },
  {
    name: 'a secret is old',
    inject: `update vault.secrets set created_at = '2020-01-01', updated_at = '2020-01-01' where name = 'pipeline_secret'`,
    mend: `update vault.secrets set updated_at = now() where name = 'pipeline_secret'`,
    turns: { ctl_soc2_cc6_1: 'partial' },
  },
  {
    name: 'messages are kept past their term',
    inject: `insert into private.outbox (channel, purpose, recipient, body, status, created_at, ended_at)
      values ('email', 'training_reminder', 'somebody@hillside.example.edu', 'text', 'sent', now() - interval '40 days', now() - interval '40 days')`,
    mend: `delete from private.outbox where purpose = 'invented'`,
    turns: {
      ctl_hipaa_164_310_d_2_i: 'non_compliant',
      ctl_gdpr_5_1_e: 'non_compliant',
      ctl_soc2_cc6_5: 'non_compliant',
      ctl_soc2_p4_2: 'non_compliant',
    },
  },
  {
    name: 'recordings may be kept for a year',
    ...kept('raw_media', '1 year', '30 days'),
    turns: {
      ctl_hipaa_164_502_b: 'partial',
      ctl_gdpr_5_1_c: 'partial',
      ctl_gdpr_5_1_e: 'partial',
      ctl_soc2_p4_2: 'partial',
    },
  },
  {
    name: 'proof is kept for a year',
    // The table allows no such term: somebody has taken the rule away too.
    inject: `
      alter table private.retention_rules drop constraint retention_rules_keep_range;
      update private.retention_rules set keep = '1 year' where kind = 'audit_log'`,
    mend: `
      set constraints all immediate;
      update private.retention_rules set keep = '6 years' where kind = 'audit_log';
      alter table private.retention_rules add constraint retention_rules_keep_range
        check (shortest > interval '0' and keep >= shortest and keep <= interval '30 years')`,
    turns: {
      ctl_hipaa_164_316_b_2_i: 'non_compliant',
      ctl_gdpr_5_2: 'non_compliant',
      ctl_soc2_c1_1: 'non_compliant',
    },
  },
  {
    name: 'an erasure is late',
    inject: `insert into private.erasures (user_id, source, requested_at, final_at, next_attempt_at)
      values (gen_random_uuid(), 'person', now() - interval '9 days', now() - interval '3 days', 'infinity')`,
    mend: 'delete from private.erasures',
    turns: {
      ctl_gdpr_17: 'non_compliant',
      ctl_soc2_cc6_5: 'non_compliant',
      ctl_soc2_p4_3: 'non_compliant',
    },
  },
  {
    name: 'a file resists its removal',
    inject: `insert into private.object_removals (bucket, name, reason, attempts, error_code, created_at, next_attempt_at)
      values ('check-in-media', 'a/b/c', 'erasure', 9, 'invented', now() - interval '2 days', 'infinity')`,
    mend: 'delete from private.object_removals',
    turns: { ctl_hipaa_164_310_d_2_i: 'partial', ctl_gdpr_17: 'partial', ctl_soc2_cc6_5: 'partial' },
  },
  {
    name: 'somebody waits for an export',
    inject: `insert into private.exports (user_id, include_name, created_at) values ('${STUDENT}', false, now() - interval '2 days')`,
    mend: 'delete from private.exports',
    turns: {
      ctl_hipaa_164_524: 'partial',
      ctl_gdpr_15: 'partial',
      ctl_gdpr_20: 'partial',
      ctl_soc2_p5_1: 'partial',
    },
  },
  {
    name: 'a recording was analysed without consent',
    inject: `${checkIn("'complete', now(), now() + interval '1 day', now(), now()")};
      insert into checkin.audio_analysis (check_in_id, user_id, quality) values ('${CHECK_IN}', '${STUDENT}', 0)`,
    mend: withoutCheckIn,
    turns: {
      ctl_hipaa_164_508: 'non_compliant',
      ctl_gdpr_7: 'non_compliant',
      ctl_gdpr_9: 'non_compliant',
      ctl_soc2_p2_1: 'non_compliant',
    },
  },
  {
    name: 'an entry of the audit log was altered',
    inject: `set session_replication_role = replica;
      update public.audit_logs set details = details || '{"altered": true}' where id = 3;
      set session_replication_role = origin`,
    mend: `set session_replication_role = replica;
      update public.audit_logs set details = details - 'altered' where id = 3;
      set session_replication_role = origin`,
    turns: {
      ctl_hipaa_164_312_b: 'non_compliant',
      ctl_hipaa_164_312_c_1: 'non_compliant',
      ctl_gdpr_5_2: 'non_compliant',
      ctl_soc2_cc2_1: 'non_compliant',
    },
  },
  {
    name: 'the audit log can be changed',
    ...triggerOff('public.audit_logs', 'prevent_audit_change'),
    turns: {
      ctl_hipaa_164_312_b: 'non_compliant',
      ctl_gdpr_5_2: 'non_compliant',
      ctl_soc2_cc5_2: 'non_compliant',
    },
  },
  {
    name: 'roles are granted without being logged',
    ...triggerOff('public.user_roles', 'audit_role_granted'),
    turns: {
      ctl_hipaa_164_308_a_1_ii_d: 'non_compliant',
      ctl_hipaa_164_308_a_5_ii_c: 'non_compliant',
      ctl_hipaa_164_312_b: 'non_compliant',
      ctl_gdpr_5_2: 'non_compliant',
      ctl_gdpr_15: 'non_compliant',
      ctl_soc2_cc5_2: 'non_compliant',
    },
  },
  {
    name: 'of a table it is not said whether it is logged',
    inject: 'create table private.left_out (id bigint primary key)',
    mend: 'drop table private.left_out',
    turns: {
      ctl_hipaa_164_308_a_1_ii_d: 'non_compliant',
      ctl_hipaa_164_308_a_5_ii_c: 'non_compliant',
      ctl_hipaa_164_312_b: 'non_compliant',
      ctl_gdpr_5_2: 'non_compliant',
      ctl_gdpr_15: 'non_compliant',
      ctl_soc2_cc5_2: 'non_compliant',
    },
  },
  {
    name: 'an earlier assessment was altered',
    inject: `create temporary table altered as select id from public.compliance_assessments order by ended_at desc limit 1;
      update public.compliance_assessments set started_at = started_at - interval '1 s' where id = (select id from altered)`,
    mend: `update public.compliance_assessments set started_at = started_at + interval '1 s' where id = (select id from altered);
      drop table altered`,
    turns: {
      ctl_hipaa_164_308_a_8: 'non_compliant',
      ctl_hipaa_164_316_b_2_i: 'non_compliant',
      ctl_gdpr_5_2: 'non_compliant',
      ctl_soc2_cc2_1: 'non_compliant',
      ctl_soc2_cc4_1: 'non_compliant',
    },
  },
  {
    name: 'nobody looks at a high risk',
    inject: `insert into public.clinical_reviews (user_id, university_id, source, source_id, opened_at)
      values ('${STUDENT}', 'hillside', 'session', gen_random_uuid(), now() - interval '2 days')`,
    mend: unguarded('delete from public.clinical_reviews'),
    turns: { ctl_gdpr_22: 'non_compliant', ctl_soc2_pi1_3: 'non_compliant' },
  },
  {
    name: 'nobody is to be notified of high risk',
    inject: `update public.universities set support_email = null where id = 'hillside'`,
    mend: `update public.universities set support_email = 'support@hillside.example.edu' where id = 'hillside'`,
    turns: { ctl_gdpr_22: 'partial' },
  },
  {
    name: 'a message could not be sent',
    inject: `insert into private.outbox (channel, purpose, recipient, body, status, ended_at)
      values ('email', 'training_reminder', 'somebody@hillside.example.edu', 'text', 'dead', now())`,
    mend: `delete from private.outbox where purpose = 'invented'`,
    turns: { ctl_gdpr_32_1_b: 'partial', ctl_soc2_pi1_3: 'partial' },
  },
  {
    name: 'a check-in is stuck',
    inject: checkIn(
      "'processing', now() - interval '3 days', now() - interval '2 days', now() - interval '3 days', null",
    ),
    mend: withoutCheckIn,
    turns: { ctl_gdpr_32_1_b: 'partial', ctl_soc2_pi1_3: 'partial' },
  },
  {
    name: 'a support alert stands still',
    inject: `insert into private.support_standstills (kind, user_id, found_at) values ('nobody_asked', '${STUDENT}', now())`,
    mend: 'delete from private.support_standstills',
    turns: { ctl_soc2_cc7_2: 'non_compliant' },
  },
  {
    name: 'a scheduled job is switched off',
    inject: `update cron.job set active = false where jobname = 'purge-expired'`,
    mend: `update cron.job set active = true where jobname = 'purge-expired'`,
    turns: {
      ctl_hipaa_164_308_a_7: 'partial',
      ctl_gdpr_32_1_b: 'partial',
      ctl_soc2_cc7_2: 'partial',
      ctl_soc2_a1_2: 'partial',
    },
  },
  {
    name: 'the last backup is two days old',
    ...told('backup', '2 days'),
    turns: {
      ctl_hipaa_164_308_a_7: 'non_compliant',
      ctl_gdpr_32_1_c: 'non_compliant',
      ctl_soc2_a1_2: 'non_compliant',
    },
  },
  {
    name: 'the risk analysis is old',
    ...told('risk_analysis', '2 years'),
    turns: { ctl_hipaa_164_308_a_1_ii_a: 'non_compliant', ctl_soc2_cc3_2: 'non_compliant' },
  },
  {
    name: 'somebody is overdue with training',
    inject: `insert into public.training_assignments (module_id, user_id, due_days, created_at)
      values ('trn_hipaa_fundamentals', '${ADMIN}', 1, now() - interval '9 days')`,
    mend: 'delete from public.training_assignments where user_id is not null',
    turns: {
      ctl_hipaa_164_308_a_5_i: 'partial',
      ctl_gdpr_32_4: 'partial',
      ctl_soc2_cc1_4: 'partial',
    },
  },
  {
    name: 'no training is mandatory',
    inject: `update public.training_modules set mandatory = false where id = 'trn_hipaa_fundamentals'`,
    mend: `update public.training_modules set mandatory = true where id = 'trn_hipaa_fundamentals'`,
    turns: {
      ctl_hipaa_164_308_a_5_i: 'non_compliant',
      ctl_gdpr_32_4: 'non_compliant',
      ctl_soc2_cc1_4: 'non_compliant',
    },
  },
  {
    name: 'a severe vulnerability is open for a month',
    inject: `insert into public.vulnerabilities (probe, fault, title, severity, found_at)
      values ('role_escalation', 'invented', 'An invented fault', 'high', now() - interval '30 days')`,
    mend: 'delete from public.vulnerabilities',
    turns: {
      ctl_hipaa_164_308_a_8: 'non_compliant',
      ctl_gdpr_32_1_d: 'non_compliant',
      ctl_soc2_cc7_1: 'non_compliant',
    },
  },
  {
    name: 'nobody tested the protection for two months',
    inject: `update public.security_test_runs set ended_at = ended_at - interval '60 days'`,
    mend: `update public.security_test_runs set ended_at = ended_at + interval '60 days'`,
    turns: {
      ctl_hipaa_164_308_a_1_ii_a: 'partial',
      ctl_hipaa_164_308_a_8: 'partial',
      ctl_gdpr_32_1_d: 'partial',
      ctl_soc2_cc4_1: 'partial',
    },
  },
  {
    name: 'nobody looks at a severe incident',
    inject: `select private.open_incident('brute_force_attacks', 'high', 'An invented attack', 'It is invented.', key => 'invented');
      update public.security_incidents set detected_at = now() - interval '2 days', timeline = timeline || private.incident_entry('changed')
      where key = 'invented'`,
    mend: unguarded(`delete from public.security_incidents where key = 'invented'`),
    turns: {
      ctl_hipaa_164_308_a_1_ii_d: 'partial',
      ctl_hipaa_164_308_a_6: 'partial',
      ctl_soc2_cc7_4: 'partial',
    },
  },
  {
    name: 'a breach is open four days after it was known',
    inject: `select private.open_incident('data_breach', 'low', 'An invented breach', 'It is invented.', key => 'invented');
      update public.security_incidents set aware_at = now() - interval '4 days', timeline = timeline || private.incident_entry('changed')
      where key = 'invented'`,
    mend: unguarded(`delete from public.security_incidents where key = 'invented'`),
    turns: {
      ctl_hipaa_164_404: 'non_compliant',
      ctl_gdpr_33: 'non_compliant',
      ctl_soc2_cc7_4: 'non_compliant',
      ctl_soc2_p6_3: 'non_compliant',
    },
  },
]
