-- Every minute each rule counts its evidence; what is over its threshold is
-- a finding, and findings with one key are one incident.

create table private.detection_rules (
  rule text not null constraint detection_rules_pkey primary key,
  type public.incident_type not null,
  severity public.incident_severity not null,
  threshold integer not null constraint detection_rules_threshold_range check (threshold between 1 and 1000000),
  period interval not null,
  respond text[] not null default '{}',
  enabled boolean not null default true,
  about text not null,
  constraint detection_rules_rule_form check (rule ~ '^[a-z_]{1,60}$'),
  constraint detection_rules_period_range check (period between interval '1 minute' and interval '7 days'),
  constraint detection_rules_respond_known check (respond <@ array['block_ip', 'disable_user', 'send_alert', 'audit_trail']),
  constraint detection_rules_guarded check (enabled or rule <> 'detection_weakened')
);
select private.describe('private.detection_rules',
  'What is an incident: how much evidence within how long, how bad it is, and what is done at once. An operator can change it without a deployment.', $$
  rule: The rule, in lower-case letters and underscores; private.detect_incidents calls what counts it.
  type: Type of its incidents.
  severity: Severity of its incidents.
  threshold: How much evidence is an incident, 1 to 1,000,000.
  period: Within how long, from 1 minute to 7 days.
  respond: What detection does at once: block_ip, disable_user, send_alert, audit_trail.
  enabled: Whether it is looked at; detection_weakened always is.
  about: What it counts, in a sentence.
$$);

insert into private.detection_rules (rule, type, severity, threshold, period, respond, about)
values
  ('brute_force_address', 'brute_force_attacks', 'high', 10, '15 minutes', '{block_ip,send_alert}',
    'Failed sign-ins from one address, without accounts that got in after fewer than five; one more for every four people who signed in from there.'),
  ('brute_force_account', 'brute_force_attacks', 'high', 10, '15 minutes', '{send_alert}',
    'Failed sign-ins of one account from several addresses, or straight at Auth.'),
  ('credential_stuffing', 'brute_force_attacks', 'high', 30, '15 minutes', '{send_alert}',
    'Pairs of address and account whose sign-in failed, beside those that the other rules count; more than half as many as signed in.'),
  ('second_factor_guessing', 'brute_force_attacks', 'high', 10, '15 minutes', '{send_alert}',
    'Wrong codes of one account, or challenges without an answer; as many in a day as the rate limit second-factor allows are enough too.'),
  ('auth_mails', 'suspicious_activity', 'medium', 50, '1 hour', '{send_alert}',
    'Mails that Auth has sent; half of those that it may send in an hour, email_sent in config.toml.'),
  ('token_forgery', 'unauthorized_access', 'high', 5, '5 minutes', '{send_alert}',
    'Access tokens with a signature that is not the project''s, from one address.'),
  ('access_refused', 'unauthorized_access', 'medium', 20, '10 minutes', '{send_alert}',
    'Requests of one account that were refused for want of a right.'),
  ('worker_secret', 'unauthorized_access', 'high', 5, '15 minutes', '{send_alert}',
    'Calls of a worker with a wrong secret, from one address.'),
  ('flood', 'suspicious_activity', 'medium', 200, '5 minutes', '{send_alert}', 'Requests of one account, or one address, over a rate limit.'),
  ('link_guessing', 'suspicious_activity', 'medium', 30, '15 minutes', '{send_alert}',
    'Links to nowhere that were opened from one address.'),
  ('many_addresses', 'suspicious_activity', 'medium', 8, '1 hour', '{send_alert}', 'Addresses from which one account signed in.'),
  ('mass_reading', 'data_exfiltration', 'high', 100, '1 hour', '{send_alert,audit_trail}',
    'Students whom one person read, or pages of lists of them.'),
  ('mass_export', 'data_breach', 'critical', 5, '1 hour', '{send_alert,audit_trail}', 'Accounts that were exported from one address.'),
  ('role_change', 'privilege_escalation', 'critical', 1, '1 day', '{send_alert,audit_trail}',
    'Roles that somebody granted to themselves, or without being a security administrator.'),
  ('schema_change', 'system_compromise', 'critical', 1, '1 day', '{send_alert,audit_trail}',
    'Row-level security, policies, grants, functions, triggers, views or jobs that differ from what the last migration left.'),
  ('broken_chain', 'system_compromise', 'critical', 1, '1 day', '{send_alert,audit_trail}', 'An audit log that is not as it was written.'),
  ('detection_weakened', 'suspicious_activity', 'high', 1, '1 day', '{send_alert}', 'Rules that were switched off or raised.'),
  ('text_costs', 'suspicious_activity', 'medium', 50, '1 day', '{send_alert}',
    'Per cent of what the texts of a day may cost, by day: ordinary ones, or those of alerts.'),
  ('erasure_overdue', 'compliance_violations', 'high', 1, '1 day', '{send_alert}', 'Accounts that are not erased a day after they should be.'),
  ('retention_stopped', 'compliance_violations', 'medium', 1, '2 hours', '{send_alert}', 'No successful run of retention.');

select private.declare_data('private.detection_rules', '{rule, type, severity, threshold, period, respond, enabled, about}',
  'What is an incident.');
select private.declare_audited('private.detection_rules', 'rule');

create table private.detection_settings (
  only_row boolean not null default true constraint detection_settings_pkey primary key,
  blocked_contact text,
  log_changes bigint not null default 0,
  verified_all_at timestamptz,
  separate_networks smallint not null default 5,
  alerts_per_hour smallint not null default 3,
  constraint detection_settings_only_row check (only_row),
  constraint detection_settings_positive check (separate_networks > 0 and alerts_per_hour > 0),
  constraint detection_settings_blocked_contact_length check (char_length(blocked_contact) between 3 and 254)
);
select private.describe('private.detection_settings', 'Settings of detection, and how far it is. Exactly one row. Numbers are above 0.', $$
  only_row: Always true: there is one row.
  blocked_contact: Whom somebody asks whose address is blocked, such as the mail address of the help desk; null says nothing of it. An operator sets it.
  log_changes: Rows of the audit log that Postgres has counted as changed or deleted, which are never any, when the log was last verified as a whole.
  verified_all_at: When the audit log was last verified as a whole.
  separate_networks: Up to how many addresses of one rule are an incident each; more are one incident for each wider network, and of more wider networks one in all.
  alerts_per_hour: Alerts of one rule, or one security policy, that are mailed within an hour; those that follow come in one digest.
$$);

insert into private.detection_settings default values;

select private.declare_data('private.detection_settings',
  '{only_row, blocked_contact, log_changes, verified_all_at, separate_networks, alerts_per_hour}', 'Settings of detection.');
select private.declare_audited('private.detection_settings', 'only_row', watched => '{blocked_contact, separate_networks, alerts_per_hour}');

create function private.resolved_at(variadic incident_keys text[]) returns timestamptz
language sql stable set search_path = '' as $$
  select coalesce(max(ended_at), '-infinity') from public.security_incidents where key = any (incident_keys)
$$;
comment on function private.resolved_at is 'When the last incident with one of these keys was resolved: what was seen by then counts no more. Called by private.detect_incidents.';

create type private.finding as (
  rule text, key text, title text, description text, evidence jsonb, affected uuid[], addresses inet[], systems text[],
  type public.incident_type, severity public.incident_severity
);
comment on type private.finding is 'What a rule has found: type and severity are null where the rule''s own apply. affected: accounts; disable_user disables the first.';
