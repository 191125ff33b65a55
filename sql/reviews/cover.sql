-- Which counselor of a university is on call when. Who is on call is told of high risk beside the crisis contacts, and whoever is
-- not on call may claim a review all the same: the plan tells people, and allows nothing.

create table private.counselor_shifts (
  id uuid not null default gen_random_uuid(),
  university_id text not null,
  user_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint counselor_shifts_pkey primary key (id),
  constraint counselor_shifts_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint counselor_shifts_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint counselor_shifts_length check (ends_at > starts_at and ends_at <= starts_at + interval '192 hours')
);
select private.describe('private.counselor_shifts', 'When a counselor is on call at a university; those of one counselor do not overlap. Written by public.add_shift, public.take_over and public.remove_shift.', $$
  id: The shift.
  university_id: The university.
  user_id: The counselor.
  starts_at: When it begins.
  ends_at: When it ends, 8 days later at most.
  created_at: When it was entered.
$$);
alter table private.counselor_shifts alter column user_id set statistics 0;
create index counselor_shifts_university_id_idx on private.counselor_shifts (university_id, ends_at);
create index counselor_shifts_user_id_idx on private.counselor_shifts (user_id, ends_at);
create index counselor_shifts_ends_at_idx on private.counselor_shifts (ends_at);

select private.declare_term('counselor_shifts', '90 days', 'Who of the counselors was on call: from the end of the shift.');
select private.declare_data('private.counselor_shifts', '{id, university_id, user_id, starts_at, ends_at, created_at}',
  'To tell whoever is on call of high risk.', 'staff', 'activity', 't.user_id = $1', term => 'counselor_shifts');
select private.declare_purge('counselor_shifts', 'private.counselor_shifts', 'd.ends_at < $1', oldest => 'ends_at');
select private.declare_audited('private.counselor_shifts', 'id', shown => '{university_id, starts_at, ends_at}');

create function private.shifts_within(university text, from_at timestamptz, until_at timestamptz)
returns setof private.counselor_shifts
language sql stable security definer set search_path = '' as $$
  select s.*
  from private.counselor_shifts s
  join auth.users u on u.id = s.user_id
  where s.university_id = university and s.ends_at > from_at and s.starts_at < until_at
    and (u.banned_until is null or u.banned_until <= now())
$$;
comment on function private.shifts_within is 'The shifts at a university that are at least in part within a time, of counselors who can sign in. Called where somebody is told of a review, and where the cover is shown.';

create function private.uncovered_hours(university text, from_at timestamptz, until_at timestamptz)
returns table (starts_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select lower(gap), upper(gap)
  from unnest(
    tstzmultirange(tstzrange(from_at, until_at))
    - coalesce(
      (select range_agg(tstzrange(s.starts_at, s.ends_at)) from private.shifts_within(university, from_at, until_at) s),
      '{}'::tstzmultirange
    )
  ) as gap
$$;
comment on function private.uncovered_hours is 'When within a time no counselor of a university is on call, the earliest first. Called where the cover is shown, and where administrators are told of it.';

create function private.university_of_cover(university text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  own constant text[] := array(
    select u.id from (select private.universities_counseled() union select private.universities_administered()) as u (id)
  );
begin
  if university is null and cardinality(own) = 1 then
    return own[1];
  elsif university is null and cardinality(own) > 1 then
    perform private.refuse(400, 'invalid_value', 'Name the university: you work at several.');
  elsif coalesce(university <> all (own), true) and not private.is_security_admin()
    or not exists (select from public.universities u where u.id = university)
  then
    perform private.refuse_caller('Only counselors and administrators of the university do this.');
  end if;
  return university;
end
$$;
comment on function private.university_of_cover is 'The university whose cover the caller may see, by default the only one where they are a counselor or an administrator; an error where they may not. Called by the functions of the cover.';

create function private.shift_view(shift private.counselor_shifts) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', shift.id,
    'user_id', shift.user_id,
    'name', private.name_of(shift.user_id),
    'starts_at', shift.starts_at,
    'ends_at', shift.ends_at,
    'mine', shift.user_id = (select private.current_account())
  )
$$;
comment on function private.shift_view is 'A shift as its university''s staff see it. Called by the functions of the cover.';

create function private.read_cover(from_at timestamptz, until_at timestamptz, university text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  here constant text := private.university_of_cover(university);
begin
  if not coalesce(until_at > from_at and until_at <= from_at + interval '35 days', false) then
    perform private.refuse(400, 'invalid_value', 'Ask for a time of at most 35 days that ends after it begins.');
  end if;
  return jsonb_build_object(
    'university_id', here,
    'on_call', coalesce(
      (
        select jsonb_agg(
          jsonb_build_object('user_id', s.user_id, 'name', private.name_of(s.user_id), 'until', s.ends_at) order by s.ends_at desc, s.user_id
        )
        from private.shifts_within(here, now(), 'infinity') s
        where s.starts_at <= now()
      ),
      '[]'
    ),
    'shifts', coalesce(
      (
        select jsonb_agg(private.shift_view(s) order by s.starts_at, s.id)
        from (select * from private.shifts_within(here, from_at, until_at) w order by w.starts_at, w.id limit 1000) as s
      ),
      '[]'
    ),
    'uncovered', coalesce(
      (
        select jsonb_agg(jsonb_build_object('starts_at', g.starts_at, 'ends_at', g.ends_at) order by g.starts_at)
        from private.uncovered_hours(here, from_at, until_at) g
      ),
      '[]'
    )
  );
end
$$;
comment on function private.read_cover is 'Implementation of public.read_cover, which calls it.';

create function public.read_cover(from_at timestamptz, until_at timestamptz, university_id text default null) returns jsonb
language sql stable set search_path = ''
begin atomic select private.read_cover(from_at, until_at, university_id); end;
comment on function public.read_cover is 'Who is on call now, the shifts of a time of at most 35 days, and when nobody is on call in it: {university_id, on_call, shifts, uncovered}. Called by counselors and administrators of the university, who name it where they work at several, and by security administrators; an error for others.';

-- Locks the counselor's account, so that of two shifts at once the later one sees the earlier. What touches becomes one.
create function private.store_shift(university text, counselor uuid, from_at timestamptz, until_at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 200;
  begins timestamptz;
  finishes timestamptz;
  stored private.counselor_shifts;
begin
  if not coalesce(until_at > from_at and until_at > now() and from_at < now() + interval '366 days', false) then
    perform private.refuse(400, 'invalid_value', 'A shift ends after it begins, not in the past, and begins within a year.');
  end if;
  perform from auth.users u where u.id = counselor for no key update;
  if not private.has_role(counselor, 'counselor', university) then
    perform private.refuse(404, 'staff_not_found', 'Nobody of the university''s counselors has this account.');
  end if;
  select least(from_at, min(s.starts_at)), greatest(until_at, max(s.ends_at))
  into begins, finishes
  from private.counselor_shifts s
  where s.university_id = university and s.user_id = counselor and s.ends_at >= from_at and s.starts_at <= until_at;
  if finishes > begins + interval '192 hours' then
    perform private.refuse(400, 'invalid_value', 'A shift, with those that it touches, has 8 days at most.');
  end if;
  delete from private.counselor_shifts s
  where s.university_id = university and s.user_id = counselor and s.ends_at >= from_at and s.starts_at <= until_at;
  if (select count(*) from private.counselor_shifts s where s.user_id = counselor and s.ends_at > now()) >= most then
    perform private.refuse(409, 'shift_limit', format('A counselor has at most %s shifts ahead.', most));
  end if;
  insert into private.counselor_shifts (university_id, user_id, starts_at, ends_at)
  values (university, counselor, begins, finishes)
  returning * into stored;
  return private.shift_view(stored);
end
$$;
comment on function private.store_shift is 'Stores a shift of a counselor, as one with those that it overlaps or touches. Called by private.add_shift and private.take_over.';

create function private.add_shift(from_at timestamptz, until_at timestamptz, counselor uuid, university text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := (select private.current_account());
  here constant text := private.university_of_cover(university);
begin
  perform private.require_name();
  if coalesce(counselor, caller) <> caller then
    perform private.require_administrator(here);
  end if;
  return private.store_shift(here, coalesce(counselor, caller), from_at, until_at);
end
$$;
comment on function private.add_shift is 'Implementation of public.add_shift, which calls it.';

create function public.add_shift(
  starts_at timestamptz, ends_at timestamptz, counselor_id uuid default null, university_id text default null
) returns jsonb
language sql set search_path = ''
begin atomic select private.add_shift(starts_at, ends_at, counselor_id, university_id); end;
comment on function public.add_shift is 'Enters a shift, 8 days at most, as one with those of the same counselor that it overlaps or touches: {id, user_id, name, starts_at, ends_at, mine}. Called by counselors, for themselves, and by administrators of the university and security administrators, for any counselor there.';

create function private.remove_shift(shift uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  removed private.counselor_shifts;
begin
  perform private.require_name();
  delete from private.counselor_shifts s
  where s.id = shift
    and (
      s.user_id = (select private.current_account())
      or s.university_id in (select private.universities_administered())
      or private.is_security_admin()
    )
  returning * into removed;
  if not found then
    perform private.refuse(404, 'shift_not_found', 'There is no such shift that you may remove.');
  end if;
  return private.shift_view(removed);
end
$$;
comment on function private.remove_shift is 'Implementation of public.remove_shift, which calls it.';

create function public.remove_shift(shift_id uuid) returns jsonb
language sql set search_path = ''
begin atomic select private.remove_shift(shift_id); end;
comment on function public.remove_shift is 'Removes a shift, and returns it, so that add_shift can enter it again. Called by the counselor whose it is, by administrators of the university, and by security administrators; an error for others.';

create function private.take_over(hours integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := (select private.current_account());
begin
  perform private.require_name();
  if not coalesce(hours between 1 and 24, false) then
    perform private.refuse(400, 'invalid_value', 'Take over for 1 to 24 hours.');
  end if;
  if not exists (select from private.universities_counseled()) then
    perform private.refuse_caller('Only counselors take over.');
  end if;
  return (
    select jsonb_build_object(
      'shifts', jsonb_agg(private.store_shift(c.id, caller, now(), now() + make_interval(hours => hours)) order by c.id)
    )
    from private.universities_counseled() as c (id)
  );
end
$$;
comment on function private.take_over is 'Implementation of public.take_over, which calls it.';

create function public.take_over(hours integer) returns jsonb
language sql set search_path = ''
begin atomic select private.take_over(hours); end;
comment on function public.take_over is 'Puts the caller on call from now on for 1 to 24 hours, beside whoever is on call already, at each university where they are a counselor: {shifts}. Called by counselors; an error for others.';

create function private.end_shifts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.counselor_shifts s
  where s.user_id = old.user_id and s.university_id = old.university_id and s.starts_at > now();
  update private.counselor_shifts s
  set ends_at = greatest(now(), s.starts_at + interval '1 microsecond')
  where s.user_id = old.user_id and s.university_id = old.university_id and s.ends_at > now();
  return null;
end
$$;
comment on function private.end_shifts is 'Trigger: whoever is no longer a counselor is on call no more.';

create trigger end_shifts after delete on public.user_roles
for each row when (old.role = 'counselor') execute function private.end_shifts();

create function private.span_in_words(from_at timestamptz, until_at timestamptz, zone text) returns text
language sql stable set search_path = '' as $$
  select to_char(from_at at time zone zone, 'Dy YYYY-MM-DD HH24:MI') || ' to ' || to_char(until_at at time zone zone, 'Dy YYYY-MM-DD HH24:MI')
$$;
comment on function private.span_in_words is 'A time as a mail writes it, by the clock of a time zone. Called where administrators are told of hours that nobody covers.';

-- Universities that keep no plan are not told every day that it is empty.
create function private.tell_of_uncovered_hours(at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  told integer;
begin
  with gaps as materialized (
    select
      u.id, private.university_in_message(u.id) as name, u.time_zone, count(*) as number,
      array_agg(private.span_in_words(g.starts_at, g.ends_at, u.time_zone) order by g.starts_at) as spans
    from public.universities u
    cross join lateral private.uncovered_hours(u.id, at, at + interval '7 days') g
    where u.archived_at is null
      and extract(hour from at at time zone u.time_zone) = 8
      and exists (select from private.counselor_shifts s where s.university_id = u.id)
    group by u.id
  ),
  queued as (
    insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
    select
      'email', 'uncovered_hours', a.user_id, a.email, 'Counselors on call: hours of the next seven days that nobody covers',
      concat_ws(
        E'\n',
        'University: ' || g.name,
        '',
        format('In the next seven days no counselor is on call at these times (%s):', g.time_zone),
        '',
        array_to_string(g.spans[1:50], E'\n'),
        case when g.number > 50 then format('and at %s more times.', g.number - 50) end,
        '',
        'The crisis contacts are told of high risk all the same.' || coalesce(E'\n\nOpen the plan: ' || private.staff_link('/university/cover'), '')
      )
    from gaps g
    join private.active_staff a on a.university_id = g.id and a.role = 'university_admin' and a.email is not null
    returning id
  )
  select count(*) into told from queued;
  return told;
end
$$;
comment on function private.tell_of_uncovered_hours is 'Mails to the administrators of each university where it is eight in the morning, and that keeps a plan, when in the next seven days no counselor is on call; returns how many mails. Called by cron once an hour.';
select cron.schedule('tell-of-uncovered-hours', '7 * * * *', 'select private.tell_of_uncovered_hours(now())');
