create function private.system_findings(at timestamptz) returns setof private.finding
language sql stable set search_path = '' as $$
  select
    'schema_change', 'schema', 'What protects the data was weakened outside a migration',
    left(string_agg(format('%s %s: %s', c.aspect, c.change, c.object), '; ' order by c.aspect, c.object), 2000),
    jsonb_build_object(
      'changes', count(*),
      'first', jsonb_agg(jsonb_build_object('aspect', c.aspect, 'object', c.object, 'change', c.change) order by c.aspect, c.object) -> 0
    ),
    null::uuid[], null::inet[], array['database'],
    case when bool_and(c.aspect in ('policy', 'grant', 'role')) then 'privilege_escalation'::public.incident_type end,
    null::public.incident_severity
  from private.schema_changes_to_confirm c
  where c.weakens
  having count(*) > 0
  union all
  select
    r.rule, 'settings:detection', 'Detection was weakened',
    format('Rules were switched off, or their thresholds raised: %s.', string_agg(distinct l.target_id, ', ')),
    jsonb_build_object('rules', jsonb_agg(distinct l.target_id), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array_agg(distinct l.actor_id) filter (where l.actor_id is not null), null, array['detection'], null, null
  from private.detection_rules r
  join private.audit_log l on l.action = 'settings_changed' and l.target_type = 'detection_rules' and l.occurred_at > at - r.period
  where r.rule = 'detection_weakened'
    and l.occurred_at > private.resolved_at('settings:detection')
    and l.before is not null
    and (
      l.after is null
      or (l.after ->> 'enabled') = 'false'
      -- Whoever owns the database can write an entry by hand, which stops no detection.
      or case when pg_input_is_valid(l.after ->> 'threshold', 'integer') and pg_input_is_valid(l.before ->> 'threshold', 'integer')
        then (l.after ->> 'threshold')::integer > (l.before ->> 'threshold')::integer
      end
    )
  group by r.rule
  union all
  select
    r.rule, 'compliance:erasures', 'Erasures are overdue',
    format('%s accounts should have been erased by now.', count(*)),
    jsonb_build_object('erasures', count(*), 'oldest', min(e.final_at)),
    null, null, array['erasure'], null, null
  from private.detection_rules r
  join private.erasures e on e.erased_at is null and e.final_at < at - r.period
  where r.rule = 'erasure_overdue' and not exists (select from private.legal_holds h where h.user_id = e.user_id)
  group by r.rule
  having count(*) >= r.threshold
  union all
  select
    r.rule, format('texts:%s:%s', b.kind, (at at time zone 'UTC')::date), 'Texts cost much of what a day may cost',
    format('%s texts (%s) cost %s of %s US dollars. At that amount further ones wait for the next day.', b.texts, b.kind, round(b.cost, 2), b.most),
    jsonb_build_object('texts', b.texts, 'cost', b.cost, 'most', b.most),
    null, null, array['texts'], null, null
  from private.text_budgets b
  join private.detection_rules r on r.rule = 'text_costs'
  where b.cost * 100 >= r.threshold * b.most
    and private.resolved_at(format('texts:%s:%s', b.kind, (at at time zone 'UTC')::date)) = '-infinity'
  union all
  select
    r.rule, 'compliance:retention', 'Retention has stopped',
    'What has been kept long enough is not deleted: the job purge-expired has not succeeded for too long.',
    jsonb_build_object('last_success', max(d.end_time)),
    null, null, array['retention'], null, null
  from private.detection_rules r
  join cron.job j on j.jobname = 'purge-expired'
  join cron.job_run_details d on d.jobid = j.jobid
  where r.rule = 'retention_stopped'
  group by r.rule
  having coalesce(max(d.end_time) filter (where d.status = 'succeeded'), min(d.end_time)) < at - r.period
$$;
comment on function private.system_findings is 'What was done to the database and its settings, and duties that are overdue. Called by private.detect_incidents.';

-- Verifying the whole chain takes a second for 10,000 entries. Postgres counts what is changed and deleted in a table, so the whole
-- is verified when the audit log, where that is never anything, has such a row, and once a day; else what is new.
create function private.chain_findings(at timestamptz) returns setof private.finding
language plpgsql set search_path = '' as $$
declare
  settings private.detection_settings;
  changes bigint;
  verdict record;
begin
  select * into strict settings from private.detection_settings;
  select coalesce(sum(case relname when 'audit_logs' then n_tup_upd + n_tup_del else n_tup_upd end), 0)
  into changes
  from pg_stat_user_tables
  where (schemaname, relname) in (('public', 'audit_logs'), ('private', 'audit_identities'));
  if changes <> settings.log_changes or settings.verified_all_at is null or settings.verified_all_at < at - interval '1 day'
    or exists (select from public.security_incidents where key = 'audit_chain' and ended_at is null)
  then
    select * into verdict from private.verify_audit_log(1);
    if verdict.intact then
      update private.detection_settings set log_changes = changes, verified_all_at = at;
    end if;
  else
    select * into verdict from private.verify_audit_log(null);
  end if;
  if verdict.intact is false then
    perform private.note_security_event('chain_broken', null, null, jsonb_build_object('broken_at', verdict.broken_at));
    return next row(
      'broken_chain', 'audit_chain', 'The audit log was altered',
      format('The chain of the audit log is broken%s: %s.', ' at entry ' || verdict.broken_at, verdict.problem),
      jsonb_build_object('broken_at', verdict.broken_at, 'problem', verdict.problem, 'entries', verdict.entries),
      null, null, array['audit_log'], null, null
    )::private.finding;
  end if;
end
$$;
comment on function private.chain_findings is 'Whether the audit log is as it was written. Called by private.detect_incidents.';

-- Auth sends so many mails an hour for the whole project ([auth.rate_limit]
-- email_sent in config.toml), whoever asks for them, and then none: neither to confirm an address nor for a new password.

-- With the account, since two people who sign up in the same minute must not wait for one another: Auth sends within its transaction.
create function private.note_mails_of_auth() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.note_security_event(
    'auth_mail_sent',
    new.id,
    null,
    times => num_nonnulls(
      nullif(new.confirmation_sent_at, old.confirmation_sent_at),
      nullif(new.recovery_sent_at, old.recovery_sent_at),
      nullif(new.reauthentication_sent_at, old.reauthentication_sent_at),
      nullif(new.email_change_sent_at, old.email_change_sent_at),
      -- A change of address is mailed to both.
      case when new.email_change_sent_at is distinct from old.email_change_sent_at then nullif(new.email_change_token_current, '') end
    )
  );
  return null;
end
$$;
comment on function private.note_mails_of_auth is 'Trigger on auth.users: notes mails that Auth sends, by the times that it stores for them.';

create trigger note_mails_of_auth
after update on auth.users
for each row when (
  new.confirmation_sent_at is distinct from old.confirmation_sent_at and new.confirmation_sent_at is not null
  or new.recovery_sent_at is distinct from old.recovery_sent_at and new.recovery_sent_at is not null
  or new.reauthentication_sent_at is distinct from old.reauthentication_sent_at and new.reauthentication_sent_at is not null
  or new.email_change_sent_at is distinct from old.email_change_sent_at and new.email_change_sent_at is not null
)
execute function private.note_mails_of_auth();

create function private.auth_mail_findings(at timestamptz) returns setof private.finding
language sql stable set search_path = '' as $$
  select
    'auth_mails', 'auth:mails', 'The mails that Auth may send in an hour are running out',
    format(
      '%s mails to %s accounts within the period. At email_sent nobody can confirm an address or choose a new password until the hour is over; sign-in goes on.',
      sum(e.occurrences), count(distinct e.account)
    ),
    jsonb_build_object('mails', sum(e.occurrences), 'accounts', count(distinct e.account)),
    null::uuid[], null::inet[], array['sign_in'], null::public.incident_type, null::public.incident_severity
  from private.detection_rules r
  join private.security_events e on e.kind = 'auth_mail_sent' and e.minute >= date_trunc('minute', at - r.period)
  where r.rule = 'auth_mails' and e.last_at > private.resolved_at('auth:mails')
  group by r.threshold
  having sum(e.occurrences) >= r.threshold
$$;
comment on function private.auth_mail_findings is 'Whether the mails that Auth may send are running out. Called by private.detect_incidents.';
