-- A flood of evidence is few incidents, and few mails that say all the same what there is.
select plan(31);

insert into people values ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('sam'), 'security_admin', null);
insert into people
select 'student ' || n, tests.new_student(format('student-%s@hillside.example.edu', n)) from generate_series(1, 9) n;
-- A rule's own response would block as well.
update private.detection_rules set respond = '{send_alert}' where rule in ('worker_secret', 'flood');

-- Calls of a worker with a wrong secret, five from each network.
create function tests.guess_from(variadic networks text[])
returns void
language sql
as $$
  select private.note_security_event('worker_secret_refused', null, n::inet, '{}', 'functions', 5) from unnest(networks) n
$$;
create function tests.keys(of_rule text)
returns setof text
language sql
as $$
  select key from public.security_incidents where indicators ->> 'rule' = of_rule and ended_at is null
$$;
create function tests.detect()
returns bigint
language sql
as $$ select count(*) from private.detect_incidents() d where d.rule in ('worker_secret', 'flood') and d.opened $$;
create function tests.mails(of_purpose text default 'security_alert')
returns bigint
language sql
as $$ select count(*) from private.outbox where purpose = of_purpose $$;

select private.detect_incidents();
update public.security_incidents set status = 'resolved', timeline = timeline || private.incident_entry('changed');
delete from private.outbox;
delete from private.security_alerts;

-- Incidents
select tests.guess_from('203.0.113.1', '198.51.100.7', '2001:db8:1:1::1');
select is(tests.detect(), 3::bigint, 'a few addresses of a rule are an incident each');
select tests.guess_from('2001:db8:2:1::1', '2001:db8:2:2::1', '2001:db8:2:3::1', '2001:db8:2:4::1');
select is(tests.detect(), 1::bigint, 'more in few networks are one for each network in which there are several');
select ok('worker_secret:2001:db8:2::/48' in (select tests.keys('worker_secret')), 'of IPv6 by 48 bits');
select is(tests.detect(), 0::bigint, 'the same, seen again, opens none');
select tests.guess_from(variadic array(select format('2001:db8:%s:1::1', to_hex(n)) from generate_series(100, 400) n));
select is(tests.detect(), 1::bigint, 'many networks are one incident');
select results_eq(
  $$
    select title, jsonb_array_length(indicators -> 'addresses'), (indicators ->> 'grouped_addresses')::integer > 300
    from public.security_incidents where key = 'worker_secret:many addresses'
  $$,
  $$ values ('The workers'' secret is guessed from many addresses', 100, true) $$,
  'with how many they are, and the first hundred'
);
select is((select count(*) from tests.keys('worker_secret')), 5::bigint, 'so three hundred networks are five incidents');
delete from private.security_events where address <<= '2001:db8::/36' and address <> '2001:db8:1:1::/64';
select is(tests.detect(), 0::bigint, 'and when the flood subsides, what is left is no new one');
-- Within one transaction, they are resolved when it began.
update private.security_events set last_at = now() - interval '1 second';
update public.security_incidents set status = 'resolved', timeline = timeline || private.incident_entry('changed') where ended_at is null;
select is(tests.detect(), 0::bigint, 'once they are resolved, what was seen by then counts no more');
select tests.guess_from('203.0.113.200');
select is(tests.detect(), 1::bigint, 'and what comes then does');
select tests.guess_from('203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4', '203.0.113.5');
select is(tests.detect(), 1::bigint, 'many addresses of IPv4');
select ok('worker_secret:203.0.113.0/24' in (select tests.keys('worker_secret')), 'are one incident by 24 bits');

-- Mails
update public.security_incidents set status = 'resolved', timeline = timeline || private.incident_entry('changed') where ended_at is null;
delete from private.security_events;
delete from private.outbox;
delete from private.security_alerts;
select private.note_security_event('rate_limited', tests.id_of('student ' || n), '192.0.2.1', '{}', 'functions', 200) from generate_series(1, 9) n;
select is(tests.detect(), 9::bigint, 'nine accounts are nine incidents');
select is(tests.mails(), 3::bigint, 'of which three are mailed one by one');
select tests.detect();
select is(tests.mails() + tests.mails('security_alert_digest'), 3::bigint, 'a minute later no more');
select matches(
  (
    select string_agg(r ->> 'detail', E'\n')
    from public.security_incidents i, jsonb_array_elements(i.response) r
    where i.ended_at is null and r ->> 'action' = 'send_alert' and r ->> 'detail' like 'in the digest%'
  ),
  '^in the digest of 20\d\d-\d\d-\d\d \d\d:\d\d UTC(\n.*){5}$', 'the other six say when their digest comes'
);
update public.security_incidents set severity = 'critical' where key = 'flood:' || tests.id_of('student 9');
select tests.detect();
select is(tests.mails(), 4::bigint, 'one that becomes worse is mailed at once');
select private.send_security_alert('A role', 'Somebody grants a role.', private.open_incident('privilege_escalation', 'critical', 'A role', 'A role', '{"rule": "role_change"}', key => 'role'), 'role_change');
select is(tests.mails(), 5::bigint, 'as one of another rule is');
select is(
  private.withdraw_security_alerts((select incident_id from private.security_alerts where digest_at is not null order by id limit 1)) ->> 'status', 'done',
  'one that is withdrawn'
);
select is(private.send_alert_digests(now() + interval '59 minutes'), 0, 'within the hour there is no digest');
select is(private.send_alert_digests(now() + interval '1 hour'), 1, 'then there is one of the rule');
select is(private.send_alert_digests(now() + interval '2 hours'), 0, 'once');
select is(
  (select subject from private.outbox where purpose = 'security_alert_digest'), 'Security digest: 5 more incidents of the rule flood',
  'is not in it'
);
select matches(
  (select body from private.outbox where purpose = 'security_alert_digest'),
  '^5 more incidents of the rule "flood" from .* UTC were not mailed one by one, because this rule had alerted 3 times within the hour\.\n'
  'None is lost: .*\n\nThe rule counts: .*\nSeverity: .*\nStill active: 5 of 5; last seen .* UTC\n'
  'Networks \(1\): 192\.0\.2\.0/24\nAccounts \(5\): .*\nIncidents: inc_.*\n\nLook at them .*\nIn SQL:\nselect .*;$',
  'it says how many of which rule there are, since when, from where, and where to look'
);
select is((select recipient from private.outbox where purpose = 'security_alert_digest'), 'sam@hillside.example.edu', 'to whom alerts go');
update private.security_alerts set alerted_at = alerted_at - interval '61 minutes', digest_at = digest_at - interval '61 minutes';
select private.note_security_event('rate_limited', tests.id_of('sam'), '192.0.2.1', '{}', 'functions', 200);
select tests.detect();
select is(tests.mails(), 6::bigint, 'after an hour the first ones are mailed one by one again');

delete from private.outbox;
select private.send_security_alert(
  'Somebody got in', 'Somebody got in.',
  private.open_incident('brute_force_attacks', 'critical', 'Somebody got in', 'By a guess', '{"rule": "brute_force_address"}', key => 'guess ' || n),
  'brute_force_address'
) from generate_series(1, 5) n;
select is(tests.mails(), 5::bigint, 'what is critical is mailed at once, whatever came before it');

-- An account behind a group of addresses
delete from private.security_events;
select private.note_security_event('sign_in_failed', null, format('2001:db8:%s:1::1', to_hex(n))::inet, '{}', 'functions', 10) from generate_series(1, 10) n;
select private.detect_incidents();
select is((select count(*) from public.security_incidents where key = 'sign_in:address:many addresses' and ended_at is null), 1::bigint, 'many addresses are one incident');
select private.note_security_event('sign_in_failed', tests.id_of('student 1'), '203.0.113.99', '{}', 'functions', 25);
select private.detect_incidents();
select is(
  (select count(*) from public.security_incidents where key = 'sign_in:account:' || tests.id_of('student 1') and ended_at is null), 1::bigint,
  'and do not hide that one account is attacked'
);

-- Policies
delete from private.outbox;
insert into public.security_policies (id, name, category, type, conditions, actions, priority, enabled)
values ('pol_story', 'A story', 'authentication', 'detective', '{"all": [{"field": "role", "op": "eq", "value": "student"}]}', '[{"action": "send_alerts"}]', 1, false);
select private.fire_policy_action('pol_story', 'send_alerts', null, format('2001:db8:%s::1', to_hex(n))::inet) from generate_series(1, 40) n;
set constraints all immediate;
select is(tests.mails(), 3::bigint, 'a policy that applies to many addresses alerts three times within an hour, too');
update private.messaging_settings set staff_app_url = 'https://staff.example.edu';
select private.send_alert_digests(now() + interval '1 hour');
select matches(
  (select subject || E'\n' || body from private.outbox where purpose = 'security_alert_digest'),
  '^Security digest: the policy "A story" applied 37 more times\nThe policy "A story" \(pol_story\) applied 37 more times from .*\nNetworks \(40\): .* and 30 more\n(.*\n)*Look at it in the staff''s app: https://staff.example.edu/#/policies/pol_story\n',
  'and its digest says how often, and leads to the policy'
);

select * from finish();
