-- Messages to contacts: in their language, and as short as texts have to be.
select plan(29);

select is(private.fits_text(body), fits, why)
from (
  values
    (repeat('a', 160), true, 'a text has 160 letters of GSM 7-bit'),
    (repeat('a', 161), false, 'and not more'),
    (repeat('a', 158) || '€', true, 'of which those of its extension count two'),
    (repeat('a', 159) || '€', false, 'each'),
    (repeat('ü', 160), true, 'letters with dots are among them'),
    (repeat('ş', 134), true, 'others make it UCS-2, of which two parts have 134'),
    (repeat('ş', 135), false, 'and not more'),
    (repeat('a', 132) || '😀', true, 'where what needs two units counts two'),
    (repeat('a', 133) || '😀', false, 'each')
) as texts (body, fits, why);

create temporary table composed as
select language, key, n.student, private.compose_text(
    language, key,
    jsonb_build_object(
      'student', n.student, 'contact', n.contact, 'code', '123456', 'worrying', private.worrying_days_in_words(language, 7),
      'link', address || case key when 'check_in' then '/buddy/checkin/' else '/buddy/alert/' end || private.new_short_token()
    )
  ) as body
from unnest('{en,de,es,fr,ar}'::text[]) as language
cross join unnest('{check_in,alert,all_right,first}'::text[]) as key
cross join unnest('{https://wellbeing.example.edu,https://wellbeing.northfield.example,http://127.0.0.1:54321/functions/v1}'::text[]) as address
cross join (
  values ('Robin', 'Sam'), ('Maximiliana-Josephin', 'Alexandrina-Theodora'), ('Zoë', 'Ştefan'), ('Мария Александровна', 'Зоя'),
    ('محمد عبد الرحمن', 'فاطمة'), ('Anne-Marie Elisabeth Charlotte', 'Bo')
) as n (student, contact);
select is_empty('select * from composed where not private.fits_text(body)', 'every text is short enough, in every language and with any name');
select is_empty($$ select * from composed where body !~ '^Student wellbeing' or body !~ 'STOP' $$, 'names the service, and says how to stop');
select is_empty(
  $$ select * from composed where key in ('check_in', 'alert') and body !~ '/buddy/(checkin|alert)/[A-Za-z0-9_-]{21}[A-Za-z]( |$)' $$,
  'has the whole link, which ends in a letter'
);
select is_empty(
  $$ select * from composed where language <> 'ar' and student in ('Robin', 'Maximiliana-Josephin') and strpos(body, student) = 0 $$,
  'and a student''s name of twenty letters'
);
select is_empty(
  $$ select language, wording from private.message_texts where language <> 'ar' and key ~ '[.](full|short|bare)$' and not private.fits_text(regexp_replace(wording, '[{}]', '', 'g') || repeat('a', 5)) and char_length(wording) < 150 $$,
  'no wording has a letter that would make it UCS-2'
);
select set_eq(
  'select key from private.message_texts group by key having count(*) <> 5', array[]::text[], 'every text is there in every language'
);
select is(private.short_name(name, 8), short, name)
from (values ('Robin', 'Robin'), ('Robin Anne', 'Robin'), ('Maximilian', 'Maximil.'), ('Jo-Anneliese', 'Jo-Anne.')) as n (name, short);
select is(private.worrying_days_in_words('en', 1), 'one worrying day', 'one day is one');
select is(private.served_language(tag), served, tag)
from (values ('de-AT', 'de'), ('ar', 'ar'), ('pt-BR', 'en'), ('fr-CA', 'fr')) as t (tag, served);
select is(private.served_language(null), 'en', 'and none is English');

-- Whose language
select tests.give_consent(tests.id_of('ada'), '{support_circle}');
insert into public.buddy_contacts (user_id, name, phone, email)
values (tests.id_of('ada'), 'Bo', '+12025550101', 'bo@example.com');
create function pg_temp.language()
returns text
language sql
as $$ select private.language_of_contact(c) from public.buddy_contacts c $$;
update public.universities set languages = '{fr,en}' where id = 'hillside';
select is(pg_temp.language(), 'fr', 'a contact is written to in the university''s language');
update public.profiles set language = 'es' where user_id = tests.id_of('ada');
select is(pg_temp.language(), 'es', 'in the student''s, where they have one');
update public.buddy_contacts set language = 'ar';
select is(pg_temp.language(), 'ar', 'and in their own, once they chose');
select alike(
  (select subject from private.verification_email((select c from public.buddy_contacts c), 'token')), 'دعوة من %', 'as is the mail that asks them'
);
