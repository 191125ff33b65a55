-- What became of a university's messages: of those about students only what ten of them share, of those to staff also which failed.
select plan(16);

insert into people values
  ('uma', tests.new_student('uma@hillside.example.edu')), ('lou', tests.new_student('lou@lakeview.example.edu')),
  ('cora', tests.new_student('cora@hillside.example.edu')), ('sam', tests.new_student('sam@lakeview.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('uma'), 'university_admin', 'hillside'), (tests.id_of('lou'), 'university_admin', 'lakeview'),
  (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('sam'), 'security_admin', null);
insert into people select 'student ' || n, tests.new_student('student' || n || '@hillside.example.edu') from generate_series(1, 10) as n;
-- A university whose day is over when that of UTC is not.
update public.universities set time_zone = 'Pacific/Kiritimati' where id = 'hillside';

create function tests.messages(wanted text, students integer, at timestamptz, state private.message_status default 'sent', code text default null)
returns void
language sql
as $$
  insert into private.outbox (channel, purpose, user_id, recipient, body, status, created_at, ended_at, error_code)
  select 'email', wanted, tests.id_of('student ' || n), 'someone@example.edu', 'Hello', state, at, at, code from generate_series(1, students) as n
$$;
create function tests.kinds(wanted_range text default '7d')
returns table (purpose text, messages integer, sent integer, failed integer)
language sql
as $$
  select k ->> 'purpose', (k -> 'messages')::integer, (k -> 'sent')::integer, (k -> 'failed')::integer
  from public.message_delivery('hillside', wanted_range) f, jsonb_array_elements(f -> 'kinds') k
$$;
grant execute on function tests.kinds(text) to authenticated;

select tests.messages('support_alert_notice', 9, now() - interval '2 days');
select tests.messages('support_alert_notice', 9, now() - interval '3 days');
select tests.messages('clinical_review', 2, now() - interval '2 days', 'dead', 'no_recipient');
select tests.act_as(tests.id_of('uma'));
select is_empty('select * from tests.kinds()', 'of messages about fewer than ten students nothing is counted');
select results_eq(
  $$ select f ->> 'purpose', (f -> 'messages')::integer, f ->> 'error_code', f ->> 'audience' from jsonb_array_elements(public.message_delivery('hillside') -> 'failures') f $$,
  $$ values ('clinical_review', 2, 'no_recipient', 'reviews') $$,
  'but what should have reached staff and did not is said, by day'
);
select tests.act_as_owner();
insert into private.outbox (channel, purpose, user_id, recipient, body, status, created_at, ended_at, error_code)
values ('email', 'support_alert_notice', tests.id_of('student 10'), 'someone@example.edu', 'Hello', 'dead', now() - interval '2 days', now(), 'timeout');
select tests.act_as(tests.id_of('uma'));
select results_eq('select * from tests.kinds()', $$ values ('support_alert_notice', 19, 18, 1) $$, 'of ten students they are counted by what became of them');
select is(
  (select count(*) from jsonb_array_elements(public.message_delivery('hillside') -> 'failures') f where f ->> 'purpose' = 'support_alert_notice'),
  0::bigint, 'and none that failed is shown by itself'
);
select tests.act_as_owner();
select tests.messages('export', 10, now());
select tests.messages('erasure_requested', 10, now() - interval '8 days');
select tests.messages('clinical_review', 1, now(), 'dead', 'http_500');
select tests.act_as(tests.id_of('uma'));
select results_eq('select purpose from tests.kinds()', $$ values ('support_alert_notice') $$, 'of days that are over, within the range');
select results_eq(
  'select purpose from tests.kinds(''30d'')', $$ values ('erasure_requested'), ('support_alert_notice') $$, 'of which there are two'
);
select is(public.message_delivery('hillside', '90d'), null, 'as messages are kept for a month');
select is(
  public.message_delivery('hillside') -> 'failures' -> 0 ->> 'error_code', 'http_500', 'what failed today is shown today'
);
select is(
  (public.message_delivery('hillside') ->> 'to')::date, (now() at time zone 'Pacific/Kiritimati')::date - 1,
  'days are those of the university'
);
select tests.act_as_owner();
insert into private.outbox (channel, purpose, user_id, recipient, body, created_at)
values ('email', 'training_reminder', tests.id_of('cora'), 'cora@hillside.example.edu', 'Hello', now() - interval '2 days');
select tests.act_as(tests.id_of('uma'));
select public.invite_staff('noor@elsewhere.example.edu', 'counselor', 'hillside');
select public.set_crisis_contact('hillside', 1, 'crisis@elsewhere.example.edu');
select public.test_crisis_contact('hillside', 1);
select tests.act_as_owner();
update private.outbox set created_at = now() - interval '2 days' where purpose in ('staff_invitation', 'crisis_contact_test');
select tests.act_as(tests.id_of('uma'));
select results_eq(
  'select purpose, messages, sent from tests.kinds() where purpose in (''training_reminder'', ''staff_invitation'', ''crisis_contact_test'')',
  $$ values ('crisis_contact_test', 1, 0), ('staff_invitation', 1, 0), ('training_reminder', 1, 0) $$, 'mails to staff of themselves are counted one by one, also to whoever has no account yet'
);
select ok(
  public.message_delivery('hillside')::text !~ 'someone|cora|noor|Hello', 'nobody''s address is told, nor what a message says'
);
select tests.act_as_owner();
update private.retention_rules set keep = '7 days' where kind = 'sent_messages';
select tests.act_as(tests.id_of('sam'));
select is(
  (public.message_delivery('hillside', '30d') ->> 'from')::date, (now() at time zone 'Pacific/Kiritimati')::date - 6,
  'a range begins with what is still kept; security administrators see it too'
);
select is(public.message_delivery('nowhere'), null, 'of a university that there is');
select tests.act_as(tests.id_of('lou'));
select throws_ok($$ select public.message_delivery('hillside') $$, '42501', null, 'an administrator elsewhere is refused');
select tests.act_as(tests.id_of('cora'));
select throws_ok($$ select public.message_delivery('hillside') $$, '42501', null, 'and so is a counselor');
select tests.act_as(tests.id_of('student 1'));
select throws_ok($$ select public.message_delivery('hillside') $$, '42501', null, 'and a student');

select * from finish();
