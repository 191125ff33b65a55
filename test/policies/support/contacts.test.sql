-- Contacts of a support circle: ranks, what makes a verification void, and the end of the consent.
select plan(81);

create function pg_temp.add(name text, phone text)
returns uuid
language sql
as $$
  insert into public.buddy_contacts (name, phone, email) values (name, phone, lower(name) || '@example.com') returning id
$$;
create function pg_temp.contact(called text)
returns uuid
language sql
as $$ select id from public.buddy_contacts where name = called $$;
create function pg_temp.ranks()
returns text
language sql
as $$ select string_agg(name, ',' order by priority_rank) from public.buddy_contacts where is_active and user_id = tests.id_of('ada') $$;
-- What an operator would see, whoever acts.
create function pg_temp.seen(called text)
returns public.buddy_contacts
language sql
security definer
as $$ select * from public.buddy_contacts where name = called $$;

select tests.act_as(tests.id_of('ada'));
select throws_ok(
  $$ select pg_temp.add('Bo', '+12025550101') $$, 'PT403', 'Agree to the support circle first: consent support_circle.',
  'without the consent nobody is named'
);
select throws_ok(
  format(
    $$ insert into public.buddy_contacts (user_id, name, phone) values (%L, 'Bo', '+12025550101') $$, tests.id_of('ben')
  ),
  '42501', null, 'and whether another student gave it is not told'
);
insert into public.consents (kind, version) values ('support_circle', '1');
select tests.act_as(tests.id_of('ben'));
insert into public.consents (kind, version) values ('support_circle', '1');
select tests.act_as(tests.id_of('ada'));
select throws_ok(
  format(
    $$ insert into public.buddy_contacts (user_id, name, phone) values (%L, 'Bo', '+12025550101') $$, tests.id_of('ben')
  ),
  '42501', null, 'one way or the other'
);
select lives_ok(
  $$
    insert into public.buddy_contacts (name, phone, email)
    select name, '+1202555010' || ordinality, lower(name) || '@example.com'
    from unnest(array['Bo', 'Cy', 'Di', 'Ed', 'Flo']) with ordinality as n (name, ordinality)
  $$,
  'with it five people are'
);
select is(pg_temp.ranks(), 'Bo,Cy,Di,Ed,Flo', 'ranked as they came');
select throws_ok(
  $$ select pg_temp.add('Guy', '+12025550106') $$, 'PT409', 'A support circle has at most five active people. Deactivate one first.',
  'and not six'
);
update public.buddy_contacts set is_active = false where name in ('Cy', 'Ed');
select results_eq(
  $$ select (pg_temp.seen(name)).priority_rank from unnest(array['Bo', 'Cy', 'Di']) as name $$,
  $$ values (1::smallint), (null), (3::smallint) $$, 'an inactive contact holds no rank'
);
select lives_ok($$ select pg_temp.add('Guy', '+12025550106') $$, 'so that another person has room');
select is((pg_temp.seen('Guy')).priority_rank, 2::smallint, 'at the lowest free rank');
update public.buddy_contacts set is_active = true where name = 'Cy';
select is((pg_temp.seen('Cy')).priority_rank, 4::smallint, 'as has one who is active again');
select throws_ok(
  $$ update public.buddy_contacts set is_active = true where name = 'Ed' $$, 'PT409', null, 'but not one too many'
);
select throws_ok(
  $$ update public.buddy_contacts set phone = '2025550100' where name = 'Cy' $$, 'PT400', null,
  'a number is written with its country while the university has none'
);
select throws_ok(
  $$ update public.buddy_contacts set phone = '+18765550101' where name = 'Cy' $$, 'PT400', 'Texts do not go to the country of this number.',
  'of a country that texts go to'
);
select throws_ok(
  $$ update public.buddy_contacts set phone = '+12025550101' where name = 'Cy' $$, 'PT409', 'Somebody in your circle has this number already.', 'and belongs to one active contact'
);

create function pg_temp.ids(variadic names text[])
returns uuid[]
language sql
as $$ select array_agg(pg_temp.contact(name) order by ordinality) from unnest(names) with ordinality as n (name, ordinality) $$;
select is(
  public.reorder_buddies(pg_temp.ids('Flo', 'Cy', 'Di', 'Guy', 'Bo')), pg_temp.ids('Flo', 'Cy', 'Di', 'Guy', 'Bo'),
  'one call orders all'
);
select is(pg_temp.ranks(), 'Flo,Cy,Di,Guy,Bo', 'from first to last');
select throws_ok(
  format('select public.reorder_buddies(%L)', wrong), 'PT400', 'Name each of your active contacts once, in the new order.', why
)
from (
  values
    (pg_temp.ids('Flo', 'Cy', 'Di', 'Guy'), 'it names all'),
    (pg_temp.ids('Flo', 'Cy', 'Di', 'Guy', 'Ed'), 'who are active'),
    (pg_temp.ids('Flo', 'Cy', 'Di', 'Guy', 'Guy'), 'once'),
    (pg_temp.ids('Flo', 'Cy', 'Di', 'Guy', 'Bo', 'Bo'), 'and once only'),
    ('{}', 'and somebody')
) as mistakes (wrong, why);
select is(pg_temp.ranks(), 'Flo,Cy,Di,Guy,Bo', 'a mistake changes nothing');
update public.buddy_contacts set priority_rank = 1 where name = 'Guy';
select is(pg_temp.ranks(), 'Guy,Cy,Di,Flo,Bo', 'one who gets a rank changes places with who held it');
update public.buddy_contacts set is_active = false where name = 'Cy';
update public.buddy_contacts set priority_rank = 5 where name = 'Guy';
select results_eq(
  $$ select (pg_temp.seen(name)).priority_rank from unnest(array['Bo', 'Guy']) as name $$, 'values (1::smallint), (5::smallint)',
  'or takes the lowest free one'
);
insert into public.buddy_contacts (name, phone, priority_rank) values ('Hal', '+12025550108', 3);
select is(pg_temp.ranks(), 'Bo,Di,Hal,Flo,Guy', 'who is added with a rank too');
select throws_ok(
  $$ insert into public.buddy_contacts (name, phone, priority_rank) values ('Ian', '+12025550109', 3) $$, 'PT409', null,
  'while there is room'
);
select throws_ok($$ update public.buddy_contacts set priority_rank = 6 where name = 'Guy' $$, 'PT400', 'A rank is a number from 1 to 5.', 'there are five ranks');
select throws_ok($$ update public.buddy_contacts set priority_rank = null where name = 'Guy' $$, 'PT400', null, 'of which each has one');
select throws_ok(
  $$ update public.buddy_contacts set priority_rank = 2 where name in ('Guy', 'Hal') $$, 'PT400', 'Each rank is given once.', 'for itself'
);
select lives_ok(
  $$ insert into public.buddy_contacts (name, phone, is_active) values ('Joy', '+12025550110', false) $$, 'one may be kept without a rank'
);
select is((pg_temp.seen('Joy')).priority_rank, null, 'until they are active');
delete from public.buddy_contacts where name in ('Hal', 'Joy');
update public.buddy_contacts set is_active = true where name = 'Cy';
select public.reorder_buddies(pg_temp.ids('Flo', 'Cy', 'Di', 'Guy', 'Bo'));
create temporary table named as select pg_temp.ids('Flo', 'Cy', 'Di', 'Guy', 'Bo') as ids;
grant select on named to authenticated;
select tests.act_as(tests.id_of('ben'));
select throws_ok(
  $$ select public.reorder_buddies(ids) from named $$, 'PT404', 'There is no such person in your support circle.', 'nobody orders others'''
);
select throws_ok($$ select public.reorder_buddies(array[null]::uuid[]) $$, 'PT404', null, 'or nothing');

-- Bo agreed; a verification of Cy and a text to each are under way.
select tests.act_as_owner();
create function pg_temp.set_up(called text)
returns void
language sql
as $$
  update public.buddy_contacts set email = lower(name) || '@example.com' where name = called;
  select private.hear_answer();
  update public.buddy_contacts
  set verified = true, verified_at = now(), phone_confirmed_at = now(), phone_confirmed_by = 'reply', time_zone = 'Europe/Berlin', texts_at_night = true,
    verification_token = private.link_token_hash(called), verification_token_expires_at = now() + interval '1 day'
  where name = called;
  delete from private.outbox;
  insert into private.outbox (channel, purpose, user_id, contact_id, recipient, body, send_at)
  select 'sms', 'buddy_check_in', user_id, id, phone, 'Invented', now() + interval '1 day' from public.buddy_contacts where name = called;
  delete from public.buddy_check_in_requests;
  with request as (
    insert into public.buddy_check_in_requests (buddy_contact_id, user_id, request_type)
    select id, user_id, 'user_initiated' from public.buddy_contacts where name = called
    returning id
  )
  insert into private.buddy_links (request_id, token_hash, number_hash, expires_at)
  select id, private.link_token_hash(called), private.link_token_hash(called), now() + interval '7 days' from request
$$;
create function pg_temp.under_way()
returns text
language sql
security definer
as $$
  select format(
    'text %s, link %s',
    coalesce((select string_agg(status::text, ',') from private.outbox), 'deleted'),
    (select case when expires_at > now() then 'valid' else 'ended' end from private.buddy_links)
  )
$$;
create function pg_temp.standing(called text)
returns text
language sql
as $$
  select format('%s %s %s', c.verified, c.phone_confirmed_at is not null, c.verification_token is not null)
  from pg_temp.seen(called) c
$$;
create temporary table changes (statement text, standing text, under_way text);
insert into changes
values
  ($$ name = 'Bo', relationship = 'sister' $$, 't t t', 'text queued, link valid'),
  ($$ phone = '+12025550199' $$, 'f f f', 'text cancelled, link ended'),
  ($$ email = 'other@example.com' $$, 'f f f', 'text cancelled, link ended'),
  ($$ email = null $$, 'f f f', 'text cancelled, link ended'),
  ($$ is_active = false $$, 't t f', 'text cancelled, link ended');
grant select on changes to authenticated;
create function pg_temp.after_change(statement text)
returns text
language plpgsql
as $$
begin
  perform tests.act_as_owner();
  update public.buddy_contacts set is_active = true where name = 'Bo';
  perform pg_temp.set_up('Bo');
  perform tests.act_as(tests.id_of('ada'));
  execute 'update public.buddy_contacts set ' || statement || $w$ where name = 'Bo'$w$;
  return pg_temp.standing('Bo') || ': ' || pg_temp.under_way();
end
$$;
select is(pg_temp.after_change(statement), standing || ': ' || under_way, 'verified, confirmed, link; after' || statement) from changes;

select tests.act_as_owner();
select pg_temp.set_up('Cy');
update public.buddy_contacts set declined_at = now(), is_active = false, verified = false where name = 'Cy';
select is(pg_temp.standing('Cy'), 'f t t', 'who declined can still read the page');
select tests.act_as(tests.id_of('ada'));
select throws_ok(
  $$ update public.buddy_contacts set is_active = true where name = 'Cy' $$, 'PT409', 'This person declined, and cannot be asked again.',
  'and is not asked again'
);
select throws_ok(
  $$ update public.buddy_contacts set is_active = true, phone = '+12025550177', email = 'new@example.com' where name = 'Cy' $$,
  'PT409', null, 'also not as somebody else'
);
select throws_ok($$ update public.buddy_contacts set verified = true $$, '42501', null, 'a student verifies nobody');

select tests.act_as_owner();
select pg_temp.set_up('Di');
select tests.act_as(tests.id_of('ada'));
delete from public.buddy_contacts where name = 'Di';
select is(pg_temp.under_way(), 'text deleted, link ended', 'with a contact goes what was queued to them, and their link');

select tests.act_as_owner();
select pg_temp.set_up('Guy');
insert into public.support_alerts (user_id, worrying_days) values (tests.id_of('ada'), 3), (tests.id_of('ben'), 3);
update public.buddy_contacts set declined_at = now() - interval '31 days' where name = 'Cy';
select tests.act_as(tests.id_of('ada'));
update public.consents set withdrawn_at = now() where kind = 'support_circle';
select is(pg_temp.under_way() || ', ' || pg_temp.standing('Guy'), 'text cancelled, link ended, t t f', 'a withdrawn consent ends what is under way');
select throws_ok($$ update public.buddy_contacts set is_active = true where name = 'Ed' $$, 'PT403', null, 'and lets nobody be activated');
insert into public.support_preferences (alerts_paused_until) values (now() + interval '13 days');
select throws_ok(
  $$ update public.support_preferences set alerts_paused_until = now() + interval '15 days' $$, 'PT400',
  'Alerts can be paused for 14 days at most.', 'alerts are paused for two weeks'
);
select lives_ok($$ update public.support_preferences set alerts_paused_until = null $$, 'or not at all');
select tests.act_as_owner();
select results_eq(
  $$ select status from public.support_alerts order by user_id = tests.id_of('ben') $$, $$ values ('resolved'), ('open') $$,
  'the student''s alert ended, and no other'
);
select private.purge_kind('declined_contacts', now(), 1000);
select is((select array_agg(name order by name) from public.buddy_contacts), array['Bo', 'Ed', 'Flo', 'Guy'], 'who declined is deleted after 30 days');
select tests.act_as(tests.id_of('ada'));
insert into public.consents (kind, version) values ('support_circle', '1');
select tests.act_as_owner();
update private.support_settings set max_contacts = 5;
select tests.act_as(tests.id_of('ada'));
update public.buddy_contacts set is_active = false where name = 'Flo';
select lives_ok($$ select pg_temp.add('Hal', '+12025550108') $$, 'inactive people are kept');
select throws_ok(
  $$ select pg_temp.add('Ivy', '+12025550109') $$, 'PT409', 'At most 5 people are kept. Delete some first.', 'up to a number'
);

-- Names in messages
select tests.act_as_owner();
select is(
  private.name_in_message(E'Sam\n evil.example/x evil。example EVIL．example evil｡example 203.0.113.7/x www.evil //evil http:evil', 'there'),
  'Sam', 'links are left out of a name, however their dots are written'
);
select is(private.name_in_message('Zoë O’Hara-Ng jr.', 'there'), 'Zoë O’Hara-Ng jr.', 'and nothing else is');

select is(private.name_in_message(name, 'there'), shown, why)
from (
  values
    ('J.R.R. Tolkien', 'J. R. R. Tolkien', 'initials are no link'),
    ('t.co/x пример.рф 例子.中国 a.b.evil.example', 'a.', 'but what is as short, and in any script, is'),
    ('Call +1 (900) 555-0199 now', 'Call now', 'a number that a phone would call is left out'),
    ('Robin 2nd 1999', 'Robin nd', 'as is any digit'),
    ('Your bank locked your card, call now', 'Your bank locked your card cal', 'thirty characters are left of words'),
    ('<b>Bank</b>: pay@evil "now" €5', 'b Bank b pay evil now', 'and letters of signs'),
    ('अनुराधा १२३', 'अनुराधा', 'of any script, with its marks'),
    ('Mónica D''Arcy-O’Neill Jr.', 'Mónica D''Arcy-O’Neill Jr.', 'which apostrophes, hyphens and full stops part'),
    ('- . ''', 'there', 'that are no name alone'),
    ('evil. com e.vil .com', 'evil. com com', 'and make no host''s name'),
    (E'evil.\u200bcom', 'evil. com', 'whatever stands between'),
    (E'\U000e0053\U000e0061 \u115f\u3164\u2800\ufe0f\u034f', 'there', 'what nobody sees is no name'),
    (E'Sa\u202em\u2066\u200f', 'Sa m', 'nor turns what follows around'),
    (E'Z\u0351\u0352\u0357\u035bo', E'Z\u0351\u0352o', 'marks do not pile up over other lines')
) as names (name, shown, why);

select throws_ok(
  format($$ update public.buddy_contacts set email = %L where name = 'Bo' $$, address), '23514', null,
  'an address in a form that hides whose it is is refused'
)
from unnest(array['bo(1)@example.com', 'bo@example.com.', E'bo@exam\u00adple.com', 'bo@ｅxample.com', 'bo@example', 'bo,cy@example.com']) as address;
select is(private.mailbox_hash('B.o.b+x@googlemail.com'), private.mailbox_hash('bob@gmail.com'), 'dots make no other mailbox where they are not read');

-- Another person in the row of one who answered.
select tests.act_as_owner();
update public.buddy_contacts set is_active = true where name = 'Bo';
select pg_temp.set_up('Bo');
update public.buddy_check_in_requests set response_type = 'called', response_received_at = now();
create function pg_temp.link_state()
returns text
language sql
as $$ select private.state_of_link(l, now()) from private.buddy_links l $$;
select is(pg_temp.link_state(), 'answered', 'who answered can open the page again');
update public.buddy_contacts set name = 'Bea', phone = '+12025550188', email = 'bea@example.com' where name = 'Bo';
select is(pg_temp.link_state(), 'cancelled', 'until the student enters somebody else');
update public.buddy_contacts set verified = true, verified_at = now() where name = 'Bea';
select is(pg_temp.link_state(), 'expired', 'also once that person has agreed');
select is(private.stop_by_link(private.link_token_hash('Bo'), now()), 'expired', 'whom nobody stops in their place');
select ok((pg_temp.seen('Bea')).is_active, 'so that they stay a contact');

select throws_ok(
  $$ update public.buddy_contacts set time_zone = 'Dublin' where name = 'Bea' $$,
  'PT400', 'A time zone is an IANA name, such as Europe/Dublin.', 'a zone that nobody knows would hold up every text'
);
select lives_ok($$ update public.buddy_contacts set time_zone = 'Europe/Dublin' where name = 'Bea' $$, 'a known one is kept');

select * from finish();
