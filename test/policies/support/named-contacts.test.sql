-- What a student types when they name somebody: numbers and addresses as people write them, and what is wrong said with a code.
select plan(64);

create function pg_temp.error_of(statement text)
returns text
language plpgsql
as $$
declare
  status text;
  code text;
begin
  execute statement;
  return 'none';
exception when others then
  get stacked diagnostics status = returned_sqlstate, code = pg_exception_hint;
  return status || ' ' || code;
end
$$;

update public.universities set country = 'DE' where id = 'hillside';
update public.universities set country = 'US' where id = 'lakeview';
update auth.users set phone = '4915111111111' where id = tests.id_of('ada');
select tests.act_as(tests.id_of('ben'));
insert into public.consents (kind, version) values ('support_circle', '1');
select tests.act_as(tests.id_of('ada'));
insert into public.consents (kind, version) values ('support_circle', '1');

-- Numbers
create function pg_temp.stored(typed text)
returns text
language plpgsql
as $$
declare
  number text;
begin
  begin
    select phone into number from public.add_buddy('Bo', typed);
    raise exception sqlstate 'XX001';
  exception when sqlstate 'XX001' then
    return number;
  end;
end
$$;
select is(pg_temp.stored(typed), '+4915123456789', format('%s is read as the university''s country dials it', typed))
from unnest(array[
  '0151 23456789', '0151/234 567 89', '0151-23456789', '+49 151 23456789', '+49 (0)151 23456789', '0049 151 23456789', '49 151 23456789',
  ' +49.151.23456789 ', 'tel:+49-151-23456789', '٠١٥١٢٣٤٥٦٧٨٩', E'\u202a+49 151 23456789\u202c', '０１５１ ２３４５６７８９'
]) as typed;
select is(pg_temp.stored('+1 (202) 555-0142'), '+12025550142', 'that of another country has its calling code');
select is(pg_temp.stored('001 202 555 0142'), '+12025550142', 'which may be dialled');
select is(pg_temp.error_of(format($$ select pg_temp.stored(%L) $$, typed)), error, format('%s is refused as %s', typed, error))
from (
  values
    ('030 123456', 'PT400 buddy_phone_landline'),
    ('+49 30 123456', 'PT400 buddy_phone_landline'),
    ('+44 20 7946 0123', 'PT400 buddy_phone_landline'),
    ('0800 1234567', 'PT400 buddy_phone_invalid'),
    ('110', 'PT400 buddy_phone_invalid'),
    ('', 'PT400 buddy_phone_invalid'),
    ('no number', 'PT400 buddy_phone_invalid'),
    ('0151 23456789 ext. 3', 'PT400 buddy_phone_invalid'),
    (repeat('9', 5000), 'PT400 buddy_phone_invalid'),
    ('+1 876 555 0101', 'PT400 buddy_country_unsupported'),
    ('0151 11111111', 'PT400 buddy_self')
) as refused (typed, error);
select tests.act_as(tests.id_of('ben'));
select is(pg_temp.stored(typed), '+12025550142', format('%s is read in the US', typed))
from unnest(array['(202) 555-0142', '202.555.0142', '1-202-555-0142', '011 1 202 555 0142']) as typed;
select is(pg_temp.stored('0049 151 23456789'), '+4915123456789', 'as is 00 before a calling code, which nothing in the US begins with');
select is(pg_temp.error_of($$ insert into public.buddy_contacts (name, phone) values ('Bo', '911') $$), 'PT400 buddy_phone_invalid', 'by every way');

-- Functions
select is((public.add_buddy('  Bo   Lee ', '(202) 555-0142', ' Bo@Bücher.example ', 'friend')).name, 'Bo Lee', 'add_buddy returns the row');
select is(
  (select (email, phone, relationship, priority_rank)::text from public.buddy_contacts), '(Bo@xn--bcher-kva.example,+12025550142,friend,1)',
  'with what was read'
);
create temporary table bo as select id from public.buddy_contacts;
grant select on bo to authenticated;
select is(pg_temp.error_of(statement), error, statement)
from (
  values
    ($$ select public.add_buddy('', '202 555 0143') $$, 'PT400 buddy_name_invalid'),
    ($$ select public.add_buddy(null, '202 555 0143') $$, 'PT400 buddy_name_invalid'),
    ($$ select public.add_buddy(repeat('a', 256), '202 555 0143') $$, 'PT400 buddy_name_invalid'),
    ($$ select public.add_buddy('Cy', null) $$, 'PT400 buddy_phone_invalid'),
    ($$ select public.add_buddy('Cy', '+1 202 555 0142') $$, 'PT409 buddy_duplicate'),
    ($$ select public.add_buddy('Cy', '202 555 0143', 'cy') $$, 'PT400 buddy_email_invalid'),
    ($$ select public.add_buddy('Cy', '202 555 0143', 'cÿ@example.com') $$, 'PT400 buddy_email_invalid'),
    ($$ select public.add_buddy('Cy', '202 555 0143', 'ben+me@students.lakeview.example.edu') $$, 'PT400 buddy_self'),
    ($$ select public.add_buddy('Cy', '202 555 0143', null, repeat('a', 101)) $$, 'PT400 invalid_value'),
    ($$ select public.add_buddy('Cy', '202 555 0143', priority_rank => 6) $$, 'PT400 invalid_value'),
    ($$ select public.add_buddy('Cy', '202 555 0143', priority_rank => 70000) $$, 'PT400 invalid_value'),
    ($$ select public.update_buddy((select id from bo), phone => '202') $$, 'PT400 buddy_phone_invalid'),
    ($$ select public.update_buddy((select id from bo), email => 'bo@') $$, 'PT400 buddy_email_invalid'),
    ($$ select public.update_buddy((select id from bo), name => ' ') $$, 'PT400 buddy_name_invalid'),
    ($$ select public.update_buddy((select id from bo), priority_rank => 0) $$, 'PT400 invalid_value'),
    ($$ select public.update_buddy(gen_random_uuid(), name => 'Cy') $$, 'PT404 buddy_not_found'),
    ($$ select public.update_buddy(null, name => 'Cy') $$, 'PT404 buddy_not_found'),
    ($$ select public.reorder_buddies(null) $$, 'PT400 invalid_value'),
    ($$ select public.reorder_buddies(array[gen_random_uuid()]) $$, 'PT404 buddy_not_found')
) as mistakes (statement, error);
select is((public.update_buddy((select id from bo), phone => '202-555-0144', email => '')).phone, '+12025550144', 'update_buddy changes what is given');
select is((select (name, email, relationship)::text from public.buddy_contacts), '("Bo Lee",,friend)', 'and leaves the rest');
select lives_ok($$ select public.add_buddy('Cy', '202 555 015' || n) from generate_series(1, 4) as n $$, 'five people are a circle');
select is(pg_temp.error_of($$ select public.add_buddy('Di', '202 555 0160') $$), 'PT409 buddy_limit', 'and not six');

-- Used-up verifications
select tests.act_as_owner();
update public.buddy_contacts set email = 'bo@example.com' where id = (select id from bo);
insert into private.buddy_verification_sends (user_id, mailbox_hash, sent_at)
select tests.id_of('ben'), private.mailbox_hash('bo@example.com'), now() - interval '2 days' from generate_series(1, 3);
create function pg_temp.outcome()
returns text
language sql
security definer
as $$ select outcome from private.send_verification(tests.id_of('ben'), (select id from bo), '+12025550144', null, null, now()) $$;
select is(pg_temp.outcome(), 'exhausted', 'three verification emails are all');
select tests.act_as(tests.id_of('ben'));
select throws_ok($$ select public.reset_buddy_verifications((select id from bo), 'I want more') $$, '42501', null, 'which a student cannot change');
select tests.act_as_owner();
insert into public.user_roles (user_id, role) values (tests.id_of('eve'), 'security_admin');
select tests.act_for(tests.id_of('eve'));
select is(pg_temp.error_of($$ select public.reset_buddy_verifications((select id from bo), ' ') $$), 'PT400 invalid_value', 'nor an operator without a reason');
select is(public.reset_buddy_verifications((select id from bo), 'Mails went to spam, she called'), 3, 'but one with a reason can');
-- What takes long to read is not read.
select is(private.plain_mail_address(format('a@%s.example', repeat('ü', 64))), null, 'no host has a part of 64 letters');
select is(private.plain_mail_address(repeat(' ', 900) || 'a@' || repeat('ü.', 50) || 'example'), null, 'nor is a page of text an address');

set constraints all immediate;
select is(
  (select details ->> 'reason' from public.audit_logs order by id desc limit 1), 'Mails went to spam, she called', 'which the audit log has'
);
select is(pg_temp.outcome(), 'resent', 'and the contact may be asked again');
