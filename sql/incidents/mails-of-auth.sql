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
