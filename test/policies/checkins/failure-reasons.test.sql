-- Why a check-in failed, in words to its student.
select plan(19);

insert into checkin.check_ins (id, user_id, type, status) values ('00000000-0000-4000-8000-00000000000a', tests.id_of('ada'), 'daily', 'processing');
create function tests.a() returns uuid language sql as $$ select '00000000-0000-4000-8000-00000000000a'::uuid $$;
create function tests.fail(code text, components jsonb)
returns void
language sql
as $$
  update checkin.check_ins
  set status = 'processing', error_code = null, reasons = null, completed_at = null, risk_level = null
  where id = tests.a();
  select private.fail_check_in(tests.a(), code, private.leading_first(components));
$$;
create function tests.error(path text[]) returns text language sql as $$ select private.check_in_view(tests.a()) -> 'error' #>> path $$;

select tests.fail('nothing_to_score', '[
  {"modality": "audio", "reason": "not_provided"}, {"modality": "visual", "reason": "multiple_faces"},
  {"modality": "text", "reason": "no_consent"}, {"modality": "self_report", "reason": "not_provided"}
]');
select is(tests.error('{code}'), 'nothing_to_score', 'the code says that nothing could be scored');
select is(tests.error('{reason}'), 'multiple_faces', 'the reason what was wrong with what was sent, before what was not');
select is(
  tests.error('{message}'), 'More than one face can be seen in the pictures. Take them again with only yourself in view.',
  'the message what to do about it'
);
select results_eq(
  $$
    select r ->> 'modality', r ->> 'reason', r ->> 'title'
    from jsonb_array_elements(private.check_in_view(tests.a()) #> '{error,reasons}') r
  $$,
  $$
    values ('visual', 'multiple_faces', 'More than one face can be seen in the pictures.'),
      ('audio', 'not_provided', 'Nothing was sent for this part.'),
      ('text', 'no_consent', 'You have not agreed to the analysis of this part.')
  $$,
  'each part has a reason of its own'
);
select tests.fail('nothing_to_score', '[{"modality": "audio", "reason": "silent"}, {"modality": "visual", "reason": "no_face"}]');
select is(tests.error('{reason}'), 'silent', 'of several that were sent the first leads');
select tests.fail('analysis_failed', '[{"modality": "audio", "reason": "silent"}, {"modality": "visual", "reason": "worker_lost"}]');
select is(tests.error('{reason}'), 'worker_lost', 'and what the service did wrong before all others');
select tests.fail('nothing_to_score', '[{"modality": "audio", "reason": "a_new_one"}]');
select matches(tests.error('{message}'), '^Nothing that was sent could be analysed', 'a reason without words gives those of the code');
select is(tests.error('{reasons,0,title}'), 'Too little could be measured in this part.', 'and general ones of its part');
select tests.fail('analysis_failed', '[]');
select is(tests.error('{reason}') || tests.error('{reasons}'), 'analysis_failed[]', 'where no part was analysed the code is the reason');

-- Languages.
select tests.fail('nothing_to_score', '[{"modality": "visual", "reason": "multiple_faces"}]');
update public.profiles set language = 'de-AT' where user_id = tests.id_of('ada');
select matches(tests.error('{message}'), '^Auf den Bildern ist mehr als ein Gesicht', 'the words are in the student''s language');
update public.profiles set language = 'cy' where user_id = tests.id_of('ada');
select matches(tests.error('{message}'), '^More than one face', 'or in English');
insert into public.failure_reasons (code, language, title, advice) values ('multiple_faces', 'de-AT', 'Zwei Gesichter.', 'Allein, bitte.');
update public.profiles set language = 'de-AT' where user_id = tests.id_of('ada');
select is(tests.error('{message}'), 'Zwei Gesichter. Allein, bitte.', 'those of a region before those of the language');
update checkin.check_ins set risk_level = 'high' where id = tests.a();
select matches(tests.error('{message}'), 'Bitte sprich jetzt mit jemandem', 'where somebody may be in danger, they say so above all');
select is(tests.error('{reason}'), 'multiple_faces', 'and the reason stays');

-- The table.
select throws_ok(
  $$ insert into public.failure_reasons (code, language, title, advice) values ('silent', 'English', 'x', 'y') $$, 'PT400', null,
  'a language is a tag'
);
select throws_ok(
  $$ delete from public.failure_reasons where code = 'crisis' and language = 'en' $$, '23514', null, 'the words of last resort stay'
);
select tests.act_as(tests.id_of('ben'));
select ok((select count(*) > 40 from public.failure_reasons where language = 'en'), 'every student reads them');
select tests.act_as_owner();

-- A withdrawal.
select tests.act_as_owner();
select tests.give_consent(tests.id_of('ada'), '{camera,audio}', '1');
update checkin.check_ins set reasons = '[{"modality": "visual", "reason": "multiple_faces"}, {"modality": "audio", "reason": "silent"}]'
where id = tests.a();
update public.profiles set language = 'en' where user_id = tests.id_of('ada');
select tests.act_as(tests.id_of('ada'));
select public.withdraw_consent('camera', true);
select tests.act_as_owner();
select is(
  (select reasons from checkin.check_ins where id = tests.a()), '[{"modality": "audio", "reason": "silent"}]',
  'what the pictures showed goes with the consent to them'
);
select is(tests.error('{reason}'), 'silent', 'so that another reason leads');

select * from finish();
