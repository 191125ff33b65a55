create function private.respond_automatically(incident text, actions text[], addresses inet[], account uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  subject public.security_incidents;
  got_in boolean;
begin
  select * into strict subject from public.security_incidents where id = incident;
  if 'block_ip' = any (actions) then
    got_in := coalesce((subject.indicators ->> 'got_in')::boolean, false);
    perform private.record_response(
      incident, 'block_ip', host(a), false,
      -- The session of somebody who guessed a password began before the block.
      private.block_address(
        a, null, subject.title, incident, case when got_in then now() - (subject.indicators ->> 'period')::interval else now() end
      ),
      null
    )
    from (
      select a
      from unnest(addresses) a
      where private.network_kind(a) is null
        and not exists (
          select
          from private.blocked_addresses b
          where b.network = private.block_network(a)
            and b.until > now()
            -- One from before somebody got in lets their session pass.
            and (not got_in or b.sessions_from < b.blocked_at)
        )
        -- A block that was lifted stays lifted while its incident goes on.
        and not exists (
          select
          from jsonb_array_elements(subject.response) r
          where r ->> 'action' = 'block_ip'
            and (r ->> 'undone')::boolean
            and private.block_network((r ->> 'target')::inet) = private.block_network(a)
        )
      -- The next run takes the next ones, if there are more.
      limit 100
    ) as unblocked;
  end if;
  if 'disable_user' = any (actions) and account is not null then
    perform private.record_response(
      incident, 'disable_user', account::text, false, private.disable_account(account, subject.title, incident), null
    );
  end if;
  if 'send_alert' = any (actions) then
    perform private.record_response(
      incident, 'send_alert', null, false,
      private.send_security_alert(
        left(format('Security incident (%s): %s', subject.severity, subject.title), 200),
        format(E'%s\n\nIncident %s, detected at %s UTC. Deal with it in the staff''s app.', subject.title, subject.id,
          private.utc_minute(subject.detected_at)),
        incident,
        subject.indicators ->> 'rule'
      ),
      null
    );
  end if;
  if 'audit_trail' = any (actions) then
    perform private.record_response(incident, 'audit_trail', null, false, private.seal_evidence(incident), null);
  end if;
end
$$;
comment on function private.respond_automatically is 'Does at once what a rule says. Called by private.detect_incidents.';

create function private.detect_incidents(at timestamptz default now())
returns table (incident text, rule text, opened boolean)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  -- One run at a time: the next one finds the same.
  perform pg_advisory_xact_lock(84, 0);
  perform private.see_schema_changes();
  perform private.send_alert_digests(now());
  return query
  with found as materialized (
    select f as finding
    from (
      select private.sign_in_findings(at) as f
      union all
      select private.refusal_findings(at)
      union all
      select private.activity_findings(at)
      union all
      select private.second_factor_findings(at)
      union all
      select private.auth_mail_findings(at)
      union all
      select private.system_findings(at)
      union all
      select private.chain_findings(at)
    ) all_findings
  ),
  grouped as materialized (
    select g.*
    from (select array_agg(f.finding) as findings from found f) as a
    cross join lateral private.group_findings(a.findings) g
  ),
  incidents as materialized (
    select
      f.addresses,
      f.affected[1] as account,
      r.rule,
      r.respond,
      exists (select from public.security_incidents i where i.key = f.key and i.ended_at is null) as known,
      private.open_incident(
        coalesce(f.type, r.type),
        coalesce(f.severity, r.severity),
        f.title,
        f.description,
        f.evidence || jsonb_build_object(
          'rule', r.rule, 'threshold', r.threshold, 'period', r.period,
          'addresses', coalesce((select jsonb_agg(host(a)) from unnest(f.addresses[:100]) a), '[]')
        ),
        coalesce(f.affected, '{}'),
        f.key,
        f.systems
      ) as id
    from grouped f
    join private.detection_rules r on r.rule = f.rule and r.enabled
  ),
  responded as materialized (
    select i.id, i.rule, not i.known as opened, private.respond_automatically(i.id, i.respond, i.addresses, i.account)
    from incidents i
  )
  select r.id, r.rule, r.opened from responded r;
end
$$;
comment on function private.detect_incidents is 'Looks for incidents and opens them, or adds to those that go on; does at once what their rules say. Returns the incidents that it saw. Called by cron and by public.detect_incidents.';
select cron.schedule('detect-incidents', '* * * * *', 'select private.detect_incidents()');
