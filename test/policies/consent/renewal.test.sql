-- Versions of consents: which there are, who publishes them, and how a consent to one is renewed by a later one.
select plan(50);

create temporary table boss (id uuid);
insert into boss select tests.new_student('boss@hillside.example.edu');
insert into public.user_roles (user_id, role) select id, 'security_admin' from boss;
grant select on boss to anon, authenticated;
create function tests.act_as_boss() returns void language sql as $$ select tests.act_as(id) from boss $$;
create function tests.held(consent public.consent_kind) returns setof text
language sql as $$ select version from public.consents where kind = consent and withdrawn_at is null $$;

-- The texts.
select is(
  (select count(*) from unnest(enum_range(null::public.consent_kind)) k cross join unnest('{en,de,es,fr,ar}'::text[]) l
    where not exists (select from public.consent_texts t where (t.kind, t.language, t.version) = (k, l, '2026-11'))),
  0::bigint, 'every kind has a text in each language'
);
select tests.act_as(tests.id_of('ada'));
select throws_ok(
  $$ insert into public.consent_texts (kind, version, language, title, body) values ('audio', '3', 'en', 'A', 'B') $$, '42501', null,
  'no student publishes one'
);
select throws_ok(
  $$ select public.publish_consent_text('audio', '2026-12', 'en', 'A', 'B') $$, '42501', 'Only security administrators do this.',
  'by the function neither'
);
select tests.act_as_boss();
select lives_ok(
  $$ select public.publish_consent_text('audio', '2026-12', 'en', 'Analysis of your voice', 'Another text.') $$, 'a security administrator does'
);
select lives_ok(
  $$ select public.publish_consent_text('audio', '2026-12', 'en', 'Analysis of your voice', 'Without a slip.') $$,
  'and corrects it while nobody has agreed to it'
);
select public.publish_consent_text('audio', '2027-1', 'en', 'Later', 'Of the next year.', now() + interval '1 day');
select is((select count(*) from public.consent_texts where version = '2027-1'), 1::bigint, 'and sees what comes later');
select throws_ok(
  $$ select public.publish_consent_text('audio', '2026.12', 'en', 'A', 'B') $$, '23505', null, 'a version has one spelling'
);
select throws_ok(
  $$ select public.publish_consent_text('audio', 'latest', 'en', 'A', 'B') $$, '23514', null, 'and a number to compare'
);
select tests.act_as_owner();
set constraints all immediate;
set constraints all deferred;
select results_eq(
  $$ select action::text, after ->> 'body', actor_hash is not null from public.audit_logs
     where target_type = 'consent_texts' and target_id = '2026-12' order by id $$,
  $$ values ('settings_changed', 'Another text.', true), ('settings_changed', 'Without a slip.', true) $$,
  'what was published is in the audit log, with who did it'
);
select tests.act_as(tests.id_of('ada'));
select is((select count(*) from public.consent_texts where version = '2027-1'), 0::bigint, 'students see what is in effect');
select is(
  (select newest_version from public.consent_status() where kind = 'audio'), '2026-12', 'and which version is the newest'
);
select tests.act_as_nobody();
select throws_ok('select * from public.consent_texts', '42501', null, 'past the function that serves them nobody reads them without signing in');
select tests.act_as_owner();
select results_eq(
  $$ select kind::text, version, language from private.newest_consent_texts('{de-AT,fr}') where kind < 'text' $$,
  $$ values ('audio', '2026-12', 'en'), ('camera', '2026-11', 'de') $$, 'the newest version, in the first language that it has'
);
select is(
  (select array_agg(distinct language) from private.newest_consent_texts('{}') where kind > 'audio'), '{en}', 'English where nothing is wanted'
);

-- Giving them.
select tests.act_as(tests.id_of('ada'));
select results_eq(
  $$ select kind::text, version from public.grant_consents('{camera,audio,camera}', '2026-11') $$,
  $$ values ('audio', '2026-11'), ('camera', '2026-11') $$, 'consents are granted'
);
select results_eq(
  $$ select kind::text, version, granted_at from public.grant_consents('{audio,camera}', '2026-11') $$,
  'select kind::text, version, granted_at from public.consents where withdrawn_at is null order by kind', 'a second time changes nothing'
);
select is((select count(*) from public.consents), 2::bigint, 'and adds nothing');
select results_eq(
  $$ select kind::text, version from public.grant_consents('{audio}', '2026-12') $$, $$ values ('audio', '2026-12') $$, 'a later version renews'
);
select results_eq(
  $$ select version, renewed, deleted from public.consents where kind = 'audio' and withdrawn_at is not null $$,
  $$ values ('2026-11', true, null::jsonb) $$, 'and withdraws nothing'
);
select ok((select in_force from public.consent_status() where kind = 'camera'), 'an older one that nobody requires to be renewed is in force');
select throws_ok(
  $$ select public.grant_consents('{audio,text}', '2026-11') $$, 'PT409', 'You have agreed to a later version already, which stays.',
  'an earlier one is refused'
);
select is_empty($$ select tests.held('text') $$, 'with everything that was granted together');
select throws_ok(
  format('select public.grant_consents(''{text}'', %L)', version), 'PT400',
  'There is no text of this version to agree to. Show one of consent_texts, and send its version.', version || ' is no version'
)
from unnest(array['banana', '2027-1', '', '2026-12']) as version;
select throws_ok(statement, 'PT400', 'Name the kinds of consent, and the version of their texts.', statement)
from unnest(array[
  $$ select public.grant_consents('{}', '2026-11') $$, $$ select public.grant_consents(null, '2026-11') $$,
  $$ select public.grant_consents('{null}', '2026-11') $$, $$ select public.grant_consents('{text}', null) $$
]) as statement;

-- By an insert.
select throws_ok(
  $$ insert into public.consents (kind, version) values ('audio', '2026-12') $$, '23505', 'You have agreed to this version already.',
  'an insert of the same says so'
);
select throws_ok(
  $$ insert into public.consents (kind, version) values ('audio', '2026-11') $$, 'PT409', 'You have agreed to a later version already, which stays.',
  'one of an earlier version too'
);
select throws_ok(
  $$ insert into public.consents (kind, version) values ('text', 'banana') $$, 'PT400', null, 'one without a text is refused'
);
select lives_ok($$ insert into public.consents (kind, version) values ('text', '2026-11') $$, 'another is taken');
select tests.act_as(tests.id_of('ben'));
select throws_ok(
  format($$ insert into public.consents (user_id, kind, version) values (%L, 'audio', %L) $$, tests.id_of('ada'), version), '42501', null,
  'and nobody learns what another student agreed to'
)
from unnest(array['2026-11', '2026-12']) as version;
select tests.act_as_nobody();
select throws_ok($$ select public.grant_consents('{audio}', '2026-11') $$, '42501', null, 'nobody grants without signing in');

-- What was agreed to stays.
select tests.act_as_boss();
select throws_ok(
  $$ select public.publish_consent_text('audio', '2026-12', 'en', 'Analysis of your voice', 'Something else.') $$, '23001',
  'Somebody agreed to this text, which stays as it is: publish another version instead.', 'a text that somebody agreed to is not changed'
);
select lives_ok(
  $$ select public.publish_consent_text('audio', '2026-12', 'en', 'Analysis of your voice', 'Without a slip.') $$, 'the same text is no change'
);
select lives_ok(
  $$ select public.publish_consent_text('audio', '2026-12', 'de', 'Auswertung deiner Stimme', 'Ein anderer Text.') $$, 'a translation is added'
);
select tests.act_as_owner();
select throws_ok(
  format('%s public.consent_texts %s where kind = ''audio'' and version = ''2026-12''', verb, change), '23001', null, verb || ' in Studio is refused'
)
from (values ('update', 'set effective_from = now() + interval ''1 day'''), ('delete from', '')) as t (verb, change);
select throws_ok('truncate public.consent_texts', '42501', null, 'nor are all emptied');
select lives_ok($$ delete from public.consent_texts where version = '2027-1' $$, 'one that nobody agreed to is taken back');

-- A version that is required.
select throws_ok(
  $$ insert into private.required_consent_versions values ('camera', '2027-1') $$, '23001',
  'Nobody could agree to the version that is required: first publish its text, in effect from now on.', 'one without a text is not required'
);
select tests.act_as(tests.id_of('ben'));
select public.grant_consents('{camera}', '1');
select tests.act_as_owner();
insert into private.required_consent_versions values ('camera', '2026-11');
select tests.act_as(tests.id_of('ben'));
select throws_ok(
  $$ select public.grant_consents('{camera}', '1') $$, 'PT409',
  'A later text has to be agreed to: consent_status names the version that is required.', 'the same version does not do any more'
);
select lives_ok($$ select public.grant_consents('{camera}', '2026-11') $$, 'the one that is required does');
select public.withdraw_consent('camera');
select is_empty($$ select tests.held('camera') $$, 'it is withdrawn');
select results_eq(
  $$ select version from public.grant_consents('{camera}', '2026-11') $$, $$ values ('2026-11') $$, 'and granted again'
);
select ok((select in_force from public.consent_status() where kind = 'camera'), 'and in force');

select * from finish();
