-- No policies: API roles cannot reach the schema private. Every minute each rule counts its evidence; what is over its threshold is
-- a finding, and findings with one key are one incident.

create table private.detection_rules (
  rule text not null,
  type public.incident_type not null,
  severity public.incident_severity not null,
  threshold integer not null,
  period interval not null,
  respond text[] not null default '{}',
  enabled boolean not null default true,
  about text not null,
  constraint detection_rules_pkey primary key (rule),
  constraint detection_rules_rule_form check (rule ~ '^[a-z_]{1,60}$'),
  constraint detection_rules_threshold_range check (threshold between 1 and 1000000),
  constraint detection_rules_period_range check (period between interval '1 minute' and interval '7 days'),
  constraint detection_rules_respond_known check (respond <@ array['block_ip', 'disable_user', 'send_alert', 'audit_trail']),
  constraint detection_rules_guarded check (enabled or rule <> 'detection_weakened')
);
comment on table private.detection_rules is
  'What is an incident: how much evidence within how long, how bad it is, and what is done at once. An operator can change it without a deployment.';
comment on column private.detection_rules.rule is 'The rule; private.detect_incidents calls what counts it.';
comment on column private.detection_rules.type is 'Type of its incidents.';
comment on column private.detection_rules.severity is 'Severity of its incidents.';
comment on column private.detection_rules.threshold is 'How much evidence is an incident.';
comment on column private.detection_rules.period is 'Within how long.';
comment on column private.detection_rules.respond is 'What detection does at once: block_ip, disable_user, send_alert, audit_trail.';
comment on column private.detection_rules.enabled is 'Whether it is looked at; detection_weakened always is.';
comment on column private.detection_rules.about is 'What it counts, in a sentence.';

create constraint trigger audit_settings
after insert or update or delete on private.detection_rules
deferrable initially deferred
for each row execute function private.audit_settings('rule');

create table private.detection_settings (
  only_row boolean not null default true,
  blocked_contact text,
  log_changes bigint not null default 0,
  verified_all_at timestamptz,
  separate_networks smallint not null default 5,
  alerts_per_hour smallint not null default 3,
  constraint detection_settings_pkey primary key (only_row),
  constraint detection_settings_only_row check (only_row),
  constraint detection_settings_positive check (separate_networks > 0 and alerts_per_hour > 0),
  constraint detection_settings_blocked_contact_length check (char_length(blocked_contact) between 3 and 254)
);
comment on table private.detection_settings is 'Settings of detection, and how far it is. Exactly one row.';
comment on column private.detection_settings.only_row is 'Always true: there is one row.';
comment on column private.detection_settings.blocked_contact is
  'Whom somebody asks whose address is blocked, such as the mail address of the help desk; null says nothing of it. An operator sets it.';
comment on column private.detection_settings.log_changes is
  'Rows of the audit log that Postgres has counted as changed or deleted, which are never any, when the log was last verified as a whole.';
comment on column private.detection_settings.verified_all_at is 'When the audit log was last verified as a whole.';
comment on column private.detection_settings.separate_networks is
  'Up to how many addresses of one rule are an incident each; more are one incident for each wider network, and of more wider networks one in all.';
comment on column private.detection_settings.alerts_per_hour is
  'Alerts of one rule, or one policy, that are mailed within an hour; those that follow come in one digest.';

create constraint trigger audit_settings
after update of blocked_contact, separate_networks, alerts_per_hour on private.detection_settings
deferrable initially deferred
for each row execute function private.audit_settings('only_row');

create function private.resolved_at(variadic incident_keys text[])
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select coalesce(max(ended_at), '-infinity') from public.security_incidents where key = any (incident_keys)
$$;
comment on function private.resolved_at is
  'When the last incident with one of these keys was resolved: what was seen by then counts no more. Called by private.detect_incidents.';

create type private.finding as (
  rule text,
  key text,
  title text,
  description text,
  evidence jsonb,
  affected uuid[],
  addresses inet[],
  systems text[],
  type public.incident_type,
  severity public.incident_severity
);
comment on type private.finding is
  'What a rule has found: type and severity are null where the rule''s own apply. affected: accounts; disable_user disables the first.';
