-- When a student was last heard of, in three ways that are kept apart: a check-in, an upload, and any contact of their app. The sources
-- of the last two are deleted early (files with their term, calls after a day, sessions with a sign-out), what they say stays here.

create table private.kept_signs_of_life (
  user_id uuid not null,
  last_upload_at timestamptz,
  last_contact_at timestamptz,
  constraint kept_signs_of_life_pkey primary key (user_id),
  constraint kept_signs_of_life_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade
);
select private.describe('private.kept_signs_of_life', 'When a student last uploaded something, and when their app was last heard of; what is newer than the last ten minutes private.signs_of_life adds.', $$
  user_id: The student.
  last_upload_at: When the last file of a check-in was uploaded; null before the first.
  last_contact_at: When their app last called, or renewed its sign-in; null before the first.
$$);
alter table private.kept_signs_of_life alter column user_id set statistics 0;
select private.declare_data('private.kept_signs_of_life', '{user_id, last_upload_at, last_contact_at}',
  'To let a counselor see when somebody in danger was last heard of.', 'student', 'activity', 't.user_id = $1');
select private.declare_unaudited('private.kept_signs_of_life', 'Times that follow from uploads, calls and sign-ins.');

create function private.note_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_stored_by_operator(new.owner_id) then
    insert into private.kept_signs_of_life as s (user_id, last_upload_at)
    select u.id, now() from auth.users u where u.id = split_part(new.name, '/', 1)::uuid for key share
    on conflict on constraint kept_signs_of_life_pkey do update set last_upload_at = excluded.last_upload_at;
  end if;
  return null;
end
$$;
comment on function private.note_upload is 'Trigger on storage.objects: keeps when a student last uploaded a file of a check-in, for longer than the file is.';

create trigger note_upload after insert or update of version on storage.objects
for each row when (
  new.bucket_id in ('check-in-media', 'check-in-images') and pg_input_is_valid(split_part(new.name, '/', 1), 'uuid')
)
execute function private.note_upload();

create function private.last_contact(student uuid) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select greatest(
    (select u.last_sign_in_at from auth.users u where u.id = student),
    (select max(coalesce(s.refreshed_at at time zone 'UTC', s.created_at)) from auth.sessions s where s.user_id = student),
    (select max(r.used_at[cardinality(r.used_at)]) from private.rate_limit_uses r where r.subject = student)
  )
$$;
comment on function private.last_contact is 'When the app of an account was last heard of, by what is known of its sign-ins and calls now. Called by private.signs_of_life and private.keep_last_contacts.';

create function private.keep_last_contacts(at timestamptz) returns integer
language sql security definer set search_path = '' as $$
  with heard as (
    select s.user_id from auth.sessions s where coalesce(s.refreshed_at at time zone 'UTC', s.created_at) > at - interval '1 hour'
    union
    select r.subject from private.rate_limit_uses r where r.used_at[cardinality(r.used_at)] > at - interval '1 hour'
  ),
  kept as (
    insert into private.kept_signs_of_life as s (user_id, last_contact_at)
    select t.user_id, private.last_contact(t.user_id)
    from heard h
    join public.students t on t.user_id = h.user_id
    join auth.users u on u.id = t.user_id
    order by t.user_id
    for key share of u skip locked
    on conflict on constraint kept_signs_of_life_pkey do update
    set last_contact_at = excluded.last_contact_at
    where s.last_contact_at is distinct from excluded.last_contact_at
    returning 1
  )
  select count(*)::integer from kept
$$;
comment on function private.keep_last_contacts is 'Keeps when the apps of students were last heard of, from the sign-ins and calls of the last hour; returns of how many students. Called by cron.';
select cron.schedule('keep-last-contacts', '*/10 * * * *', 'select private.keep_last_contacts(now())');

-- In PL/pgSQL, which keeps its plan: it is asked for each student of a list.
create function private.signs_of_life(student uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  kept private.kept_signs_of_life;
  check_in timestamptz;
begin
  select * into kept from private.kept_signs_of_life s where s.user_id = student;
  check_in := coalesce(
    (
      select coalesce(c.submitted_at, c.completed_at)
      from checkin.check_ins c
      where c.user_id = student and coalesce(c.submitted_at, c.completed_at) is not null
      order by c.created_at desc
      limit 1
    ),
    (select s.last_check_in_at from public.students s where s.user_id = student)
  );
  return jsonb_build_object(
    'last_check_in_at', check_in,
    'last_upload_at', kept.last_upload_at,
    -- A check-in and an upload are contacts too.
    'last_contact_at', greatest(private.last_contact(student), kept.last_contact_at, kept.last_upload_at, check_in)
  );
end
$$;
comment on function private.signs_of_life is 'When a student was last heard of: {last_check_in_at, last_upload_at, last_contact_at}, each null where never. A check-in counts when it is submitted; a contact is a call of their app or the renewal of its sign-in, which is due every hour while it is open. Called where counselors see a student.';
