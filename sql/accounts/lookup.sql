-- Who has which account, for a security administrator who deals with an incident. Not without an entry of the audit log, which tells
-- the person too.
create function private.read_account(person text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account constant uuid := private.account_searched(person);
begin
  perform private.require_security_admin();
  perform private.require_access_log('account_read', private.access_arguments(search => person));
  return (
    select jsonb_build_object(
      'user_id', u.id,
      'email', u.email,
      'university_id', p.university_id,
      'created_at', u.created_at,
      'confirmed_at', u.email_confirmed_at,
      'last_sign_in_at', u.last_sign_in_at,
      'is_own', u.id = private.current_account(),
      'roles', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('role', r.role, 'university_id', r.university_id, 'since', r.created_at) order by r.role, r.university_id
          ),
          '[]'
        )
        from public.user_roles r
        where r.user_id = u.id
      ),
      'banned_until', case when u.banned_until > now() then u.banned_until end,
      'disabled', (
        select jsonb_build_object('since', d.disabled_at, 'reason', d.reason, 'incident_id', d.incident_id)
        from private.disabled_accounts d
        where d.account = u.id
      ),
      'second_factors', (select count(*) from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
      'sessions', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'created_at', s.created_at,
              'last_at', coalesce(s.refreshed_at at time zone 'UTC', s.updated_at, s.created_at),
              'address', host(s.ip),
              'user_agent', left(s.user_agent, 500),
              'aal', coalesce(s.aal::text, 'aal1')
            )
            order by s.created_at desc
          ),
          '[]'
        )
        from (
          select *
          from auth.sessions o
          where o.user_id = u.id and (o.not_after is null or o.not_after > now())
          order by o.created_at desc
          limit 50
        ) s
      ),
      'failed_sign_ins', (
        select coalesce(sum(e.occurrences), 0)
        from private.security_events e
        where e.kind = 'sign_in_failed' and e.account = u.id and e.minute > now() - interval '7 days'
      ),
      'erasure_requested_at', (select e.requested_at from private.erasures e where e.user_id = u.id),
      'incidents', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('id', i.id, 'title', i.title, 'severity', i.severity, 'status', i.status, 'detected_at', i.detected_at)
            order by i.detected_at desc
          ),
          '[]'
        )
        from (
          select * from public.security_incidents o where u.id::text = any (o.affected_users) order by o.detected_at desc limit 20
        ) i
      )
    )
    from auth.users u
    left join public.profiles p on p.user_id = u.id
    where u.id = account
  );
end
$$;
comment on function private.read_account is 'Implementation of public.read_account, which calls it.';

create function public.read_account(person text) returns jsonb
language sql stable set search_path = ''
begin atomic select private.read_account(person); end;
comment on function public.read_account is 'An account by its id or email address: whose it is, roles, whether it is disabled, sessions, and incidents that concern it; null when there is none. Called by security administrators within a minute of log_access(''account_read'') with the same words as search.';
