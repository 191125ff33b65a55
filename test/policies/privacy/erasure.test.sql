-- Erasure: what happens to a person's data, step by step.
select plan(61);

set constraints all immediate;
insert into people values ('sam', tests.new_student('sam@elsewhere.example.com'));
insert into public.user_roles (user_id, role) values (tests.id_of('sam'), 'security_admin');
insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media'), ('university-files', 'university-files')
on conflict do nothing;

create function tests.erasure(person text)
returns private.erasures
language sql
as $$ select * from private.erasures where user_id = tests.id_of(person) $$;
create function tests.erase(person text)
returns void
language plpgsql
as $$
declare
  account constant uuid := tests.id_of(person);
begin
  perform set_config('storage.allow_delete_query', 'true', true);
  for step in 1..5 loop
    update private.erasures set final_at = requested_at, next_attempt_at = now() where user_id = account;
    perform private.advance_erasures(50);
    -- As the worker does that removes the files.
    delete from storage.objects o where starts_with(o.name, account::text) or o.name like '%/students/' || account || '/%';
    delete from private.object_removals r where private.account_of_object(r.bucket, r.name) = account;
  end loop;
end
$$;
create temporary table receipts (person text, id uuid);

-- Asking, and taking it back.
select private.request_erasure(tests.id_of('ada'));
select is((tests.erasure('ada')).final_at, now() + interval '72 hours', 'an erasure is final after 72 hours');
select is(
  (select count(*) from private.outbox where user_id = tests.id_of('ada') and purpose = 'erasure_requested'), 1::bigint,
  'the person is told by mail'
);
insert into receipts select 'ada', (tests.erasure('ada')).id;
select private.request_erasure(tests.id_of('ada'));
select is((tests.erasure('ada')).id, (select id from receipts), 'asking again changes nothing');
select private.advance_erasures(50);
select is((tests.erasure('ada')).erased_at, null, 'nothing happens before it is final');
select ok(private.cancel_erasure(tests.id_of('ada')), 'until then it can be cancelled');
select is((tests.erasure('ada')).id, null, 'which leaves nothing of it');
select ok(not private.cancel_erasure(tests.id_of('ada')), 'and cannot be repeated');
select is(private.erasure_view(tests.id_of('ada')), null, 'nor read');
select is(
  (select array_agg(action::text order by id) from private.audit_log where subject_id = tests.id_of('ada') and action::text like 'erasure%'),
  array['erasure_requested', 'erasure_cancelled'],
  'the audit log has both'
);

-- A person with something everywhere.
select private.request_erasure(tests.id_of('ada'));
insert into checkin.check_ins (id, user_id, type) values ('00000000-0000-4000-8000-0000000000c1', tests.id_of('ada'), 'daily');
insert into private.check_in_inputs (check_in_id, transcript) values ('00000000-0000-4000-8000-0000000000c1', 'what ada said');
insert into storage.objects (bucket_id, name, owner_id)
values
  ('check-in-media', tests.id_of('ada') || '/00000000-0000-4000-8000-0000000000c1/audio', null),
  ('university-files', 'hillside/students/' || tests.id_of('ada') || '/note.txt', tests.id_of('ada')::text),
  ('university-files', 'hillside/students/' || tests.id_of('ben') || '/note.txt', tests.id_of('ben')::text);
select realtime.send('{"x": "said"}', 'result', 'check-in:00000000-0000-4000-8000-0000000000c1', true);
select realtime.send('{"x": "said"}', 'support_alert', 'support:' || tests.id_of('ada'), true);
insert into private.rate_limit_uses (subject, scope, used_at) values (tests.id_of('ada'), 'data-api', '{2026-01-01}');
insert into public.consents (user_id, kind, version) values (tests.id_of('ada'), 'support_circle', '1');
insert into public.buddy_contacts (user_id, name, phone, email, priority_rank)
values (tests.id_of('ada'), 'Bo', '+12025550123', 'bo@example.com', 1);
insert into private.outbox (channel, purpose, user_id, contact_id, recipient, body, send_at)
select 'sms', 'buddy_check_in', user_id, id, phone, 'Ada asks', now() + interval '1 day' from public.buddy_contacts where user_id = tests.id_of('ada');
update auth.users set phone = '12025550199' where id = tests.id_of('ada');

-- Held.
select tests.act_as(tests.id_of('ben'));
select ok(not public.set_legal_hold(tests.id_of('ada'), 'a reason'), 'nobody else sets a legal hold');
select is_empty('select * from public.read_legal_holds()', 'nor sees any');
select tests.act_as(tests.id_of('sam'));
select ok(public.set_legal_hold(tests.id_of('ada'), 'Order 1 of a court'), 'a security administrator does');
select ok(not public.set_legal_hold(gen_random_uuid(), 'a reason'), 'on an account that there is');
select results_eq(
  'select account, reason, erasure_waits from public.read_legal_holds()',
  $$ select tests.id_of('ada'), 'Order 1 of a court', true $$,
  'and sees what waits for it'
);
select tests.act_as_owner();
select is(
  private.erasure_view(tests.id_of('ada')) -> 'hold' ->> 'reason', 'Order 1 of a court', 'the person reads why'
);
select is(private.erasure_view(tests.id_of('ada')) ->> 'status', 'held', 'that it waits');
update private.legal_holds set confidential = true;
select is(private.erasure_view(tests.id_of('ada')) ->> 'status', 'scheduled', 'unless the law forbids to tell');
select tests.erase('ada');
select is((select count(*) from auth.users where id = tests.id_of('ada')), 1::bigint, 'a held account is not erased');
select throws_ok(
  $$ delete from auth.users where id = tests.id_of('ada') $$, '23503', null, 'nor can anybody delete it in another way'
);
select private.queue_object_removal('check-in-media', tests.id_of('ada') || '/00000000-0000-4000-8000-0000000000c1/audio', 'test');
select is_empty('select * from private.claim_object_removals(10)', 'and its files are not removed');
select tests.act_as(tests.id_of('ben'));
select ok(not public.lift_legal_hold(tests.id_of('ada')), 'nobody else lifts it');
select tests.act_as(tests.id_of('sam'));
select ok(public.lift_legal_hold(tests.id_of('ada')), 'a security administrator does');
select ok(not public.lift_legal_hold(tests.id_of('ada')), 'once');
select tests.act_as_owner();
select is(
  (select array_agg(action::text order by id) from private.audit_log where actor_id = tests.id_of('sam') and subject_id = tests.id_of('ada') and action::text like 'legal%'),
  array['legal_hold_set', 'legal_hold_lifted'],
  'the audit log has both'
);
insert into storage.objects (bucket_id, name)
values
  ('check-in-media', tests.id_of('ada') || '/x/audio'),
  ('university-files', 'hillside/students/' || tests.id_of('ada') || '/note.txt');

-- Final.
select is((select count(*) from private.traces_of(tests.id_of('ada'), 'ada@hillside.example.edu', null)) > 3, true, 'there is much to find');
select ok(not private.cancel_erasure(tests.id_of('ada')), 'once it is final it cannot be cancelled');
update private.erasures set next_attempt_at = now();
select private.advance_erasures(50);
select is((select count(*) from auth.users where id = tests.id_of('ada')), 0::bigint, 'first the account is deleted');
select is((select count(*) from checkin.check_ins where id = '00000000-0000-4000-8000-0000000000c1'), 0::bigint, 'with every row that needs it');
select is((select count(*) from realtime.messages where payload ->> 'x' = 'said'), 0::bigint, 'what was broadcast');
select is((select count(*) from private.outbox where body = 'Ada asks'), 0::bigint, 'and messages to the contacts, who hear nothing');
select is((tests.erasure('ada')).email, 'ada@hillside.example.edu', 'the address is kept until the search for it is over');
select throws_ok(
  $$ insert into storage.objects (bucket_id, name) select 'check-in-media', tests.id_of('ada') || '/late/audio' $$, '42501', null,
  'from now on no file can be stored for the account'
);
select private.advance_erasures(50);
select is((tests.erasure('ada')).error_code, 'files_left', 'it waits for the files');
select tests.erase('ada');
select is((tests.erasure('ada')).id, null, 'then nothing is left of the erasure either');
select is_empty(
  $$ select * from private.traces_of(tests.id_of('ada'), 'ada@hillside.example.edu', '12025550199') where relation <> 'private.outbox' $$,
  'nor found anywhere'
);
select results_eq(
  $$ select (counts ->> 'checkin.check_ins')::int, (counts ->> 'auth.users')::int, (counts ->> 'university-files')::int
     from private.erasure_receipts where id = (select id from private.erasure_receipts order by completed_at desc limit 1) $$,
  'values (1, 1, 1)',
  'a receipt says how much there was'
);
select is(
  (select count(*) from private.erasure_receipts r where checksum = private.receipt_checksum(r) and tombstone = private.tombstone_of(tests.id_of('ada'))),
  1::bigint,
  'with a checksum of it, and a number that needs the project''s key'
);
select is(
  (select recipient from private.outbox where purpose = 'erasure_receipt'), 'ada@hillside.example.edu', 'the person is sent it'
);
select private.record_delivery(id, attempts, 'sent', 'p', 'x', null, null)
from private.claim_messages(50) where purpose = 'erasure_receipt';
select is_empty($$ select * from private.outbox where purpose = 'erasure_receipt' $$, 'and then the address goes too');
select is((select count(*) from storage.objects where name like '%' || tests.id_of('ben') || '%'), 1::bigint, 'others keep theirs');
select is(
  (select problem from public.verify_audit_chain(1)), null, 'the chain of the audit log is intact'
);
select is(
  (select count(*) from private.audit_log where action = 'account_erased' and target_type = 'erasure_receipts'), 1::bigint,
  'which says that somebody was erased'
);

-- Without having been asked.
insert into receipts select 'ben', tests.id_of('ben');
delete from auth.users where id = tests.id_of('ben');
select is((tests.erasure('ben')).source::text, 'operator', 'an account that is deleted in Studio is erased too');
select tests.erase('ben');
select is((select count(*) from storage.objects where name like '%' || tests.id_of('ben') || '%'), 0::bigint, 'with its files');
update auth.users set deleted_at = now(), email = 'x' where id = tests.id_of('eve');
select is((tests.erasure('eve')).email, 'eve@elsewhere.example.com', 'also one that was deleted softly');

-- A backup brings somebody back.
insert into auth.users (id, email, aud, role) select tests.id_of('ben'), 'ben@students.lakeview.example.edu', 'authenticated', 'authenticated';
create temporary table copied as select private.export_erasures() as exported;
alter table private.erasure_receipts disable trigger all;
delete from private.erasure_receipts;
select throws_like(
  $$ select private.replay_erasures(jsonb_set(exported, '{receipts}', '[]')) from copied $$, 'This file is not as%',
  'a file that a receipt was taken out of is refused'
);
select throws_like(
  $$ select private.replay_erasures(exported - 'signature') from copied $$, 'This file is not as%', 'and one that proves nothing'
);
select results_eq(
  'select r.accounts, r.held from copied, private.replay_erasures(copied.exported) r', 'values (1, 0)',
  'receipts that were kept elsewhere find them'
);
select is((select count(*) from auth.users where id = tests.id_of('ben')), 0::bigint, 'and they are gone at once');
select tests.erase('ben');
select is((select count(*) from private.erasure_receipts where source = 'restore'), 1::bigint, 'which has a receipt of its own');

-- A backup has who was still to be erased, and perhaps changed their mind since.
insert into people values ('joy', tests.new_student('joy@hillside.example.edu'));
select private.request_erasure(tests.id_of('joy'));
update private.erasure_progress set last_run_at = now() - interval '2 hours';
update private.erasures
set requested_at = now() - interval '4 days', final_at = now() - interval '1 hour', next_attempt_at = now() - interval '1 hour'
where user_id = tests.id_of('joy');
select private.advance_erasures(50);
select is((tests.erasure('joy')).erased_at, null, 'who became final while nothing ran is not erased by itself');
select results_eq(
  $$ select r.pending, r.cancelled from private.replay_erasures(null) r $$, 'values (1, 0)', 'without a file nothing says that it was cancelled'
);
select is((tests.erasure('joy')).final_at, now() + interval '72 hours', 'but the person has the whole time again');
select is(
  (select count(*) from private.outbox where user_id = tests.id_of('joy') and purpose = 'erasure_requested'), 1::bigint, 'and is told'
);
select results_eq(
  $$
    select r.pending, r.cancelled
    from (select jsonb_build_object('exported_at', now(), 'receipts', '[]'::jsonb, 'pending', '[]'::jsonb)) as f (none),
      private.replay_erasures(none || jsonb_build_object('signature', private.erasures_signature(none))) r
  $$,
  'values (0, 1)', 'what is pending in the backup alone was cancelled after it'
);
select is((tests.erasure('joy')).id, null, 'and is again');

-- What was sent to the channel of a check-in that is gone names nobody.
select realtime.send('{"x": "said"}', 'result', 'check-in:' || gen_random_uuid(), true);
select set_eq(
  $$ select relation from private.traces_of(gen_random_uuid(), 'nobody@example.edu', null) $$, '{realtime.messages}'::text[],
  'and is a trace all the same'
);
delete from realtime.messages where payload ->> 'x' = 'said';

-- Addresses that are like another's, and mails to somebody about others.
insert into people values ('lee', tests.new_student('lee@hillside.example.edu'));
insert into auth.audit_log_entries (id, payload, created_at)
values (gen_random_uuid(), '{"actor_username": "klee@hillside.example.edu"}', now());
insert into private.outbox (channel, purpose, user_id, recipient, body)
values ('email', 'clinical_review', tests.id_of('sam'), 'lee@hillside.example.edu', 'Somebody needs you.');
select private.request_erasure(tests.id_of('lee'));
delete from auth.users where id = tests.id_of('lee');
select ok((tests.erasure('lee')).final_at <= now(), 'a deletion does not wait for the end of the time in which it could be cancelled');
select is(
  (select count(*) from private.outbox where recipient = 'lee@hillside.example.edu'), 1::bigint, 'a mail about somebody else is still sent'
);
select is_empty(
  $$ select * from private.traces_of(tests.id_of('lee'), 'lee@hillside.example.edu', null) $$,
  'and what is another''s, whose address only looks alike, is no trace'
);
select is(private.mentions('"mail": "lee@hillside.example.edu."', 'lee@hillside.example.edu'), true, 'as the address itself would be');

select * from finish();
