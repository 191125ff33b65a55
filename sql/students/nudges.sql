-- A kind message from a counselor to a student, in fixed words.

create table private.nudges (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  university_id text,
  counselor uuid,
  kind text not null,
  message_id uuid not null,
  send_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint nudges_pkey primary key (id),
  constraint nudges_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint nudges_university_id_fkey foreign key (university_id) references public.universities (id) on delete set null,
  constraint nudges_counselor_fkey foreign key (counselor) references auth.users (id) on delete set null,
  constraint nudges_kind_known check (kind in ('thinking_of_you', 'come_by', 'check_in'))
);
select private.describe('private.nudges', 'Kind messages that counselors had sent to students, in fixed words.', $$
  id: The message.
  user_id: The student.
  university_id: The university of both then.
  counselor: The counselor who had it sent; null once their account is gone.
  kind: Which words it has: thinking_of_you, come_by or check_in.
  message_id: The email, private.outbox.id.
  send_at: When it is sent at the earliest: by day where the student is.
  created_at: When the counselor asked for it.
$$);
alter table private.nudges alter column user_id set statistics 0, alter column counselor set statistics 0;
create index nudges_user_id_idx on private.nudges (user_id, created_at);
create index nudges_university_id_idx on private.nudges (university_id);
create index nudges_counselor_idx on private.nudges (counselor);
create index nudges_created_at_idx on private.nudges (created_at);

select private.declare_term('nudges', '1 year', 'That a counselor sent a kind message: from then.', shortest => '30 days');
select private.declare_data('private.nudges', '{id, user_id, university_id, kind, message_id, send_at, created_at}',
  'To know who was written to, so that nobody is every day by every counselor.', 'student', 'activity', 't.user_id = $1', term => 'nudges');
select private.declare_data('private.nudges', '{counselor}', 'To know which counselor wrote.', 'staff', 'activity',
  't.counselor = $1', erasure => 'anonymize', term => 'nudges');
select private.declare_purge('nudges', 'private.nudges', 'd.created_at < $1', oldest => 'created_at');
select private.declare_audited('private.nudges', 'id', actions => '{student_nudged}', shown => '{university_id, kind, send_at}');

create function private.may_know_student(student uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select
    from public.students s
    where s.user_id = student
      and s.user_id <> (select private.current_account())
      and s.university_id in (select private.universities_counseled())
      and (s.counselor_access or s.user_id in (select private.students_in_review()))
  )
$$;
comment on function private.may_know_student is 'Whether the caller counsels this student, who agreed to it or is in review. Called by the functions that send messages to a student and list them.';

-- What waits for the morning is asked again then.
create function private.may_be_nudged(message private.outbox) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select
    from private.nudges n
    join public.students s on s.user_id = n.user_id and s.university_id = n.university_id
    where n.user_id = message.user_id and n.message_id = message.id
      and message.recipient = private.email_of(n.user_id)
      and private.has_role(n.counselor, 'counselor', n.university_id)
      and (
        s.counselor_access
        or exists (
          select
          from public.clinical_reviews r
          where r.user_id = n.user_id and r.university_id = n.university_id and r.status <> 'closed'
        )
      )
  )
$$;
comment on function private.may_be_nudged is 'Whether a kind message may be sent still: its counselor is one there, the student agrees or is in review, and has the address that it goes to. Called by private.may_send.';

create function private.next_day_time(zone text, at timestamptz) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select case
      when (at at time zone zone)::time between s.day_begins and s.day_ends then at
      else private.moment_at(
        (at at time zone zone)::date + ((at at time zone zone)::time > s.day_ends)::integer + s.day_begins, zone
      )
    end
  from private.support_settings s
$$;
comment on function private.next_day_time is 'The first moment from "at" on that is in the day of a time zone, by the hours of private.support_settings. Called where a student is written to by a counselor.';

create function private.nudge_student(student uuid, kind text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  language constant text := private.language_of(student);
  first_name constant text := private.name_in_message((select p.first_name from public.profiles p where p.user_id = student), null, 30);
  university record;
  allowance record;
  asked private.nudges;
begin
  perform private.require_name();
  if not private.may_know_student(student) then
    perform private.refuse(404, 'student_not_found', 'There is no such student whom you counsel.');
  elsif not coalesce(kind in ('thinking_of_you', 'come_by', 'check_in'), false) then
    perform private.refuse(400, 'invalid_value', 'The kind is thinking_of_you, come_by or check_in.');
  end if;
  select * into strict allowance from private.consume_rate_limit((select private.current_account()), 'student-nudge');
  if not allowance.allowed then
    perform private.refuse_for(allowance.reset_s, format('Too many messages to students. Try again in %s s.', allowance.reset_s));
  end if;
  -- One at a time, so that of two counselors at once the later sees the earlier's.
  perform from auth.users u where u.id = student for no key update;
  if exists (select from private.nudges n where n.user_id = student and n.created_at > now() - interval '24 hours') then
    perform private.refuse(429, 'nudge_limit', 'A counselor has written to this student within a day.');
  end if;
  select u.id, u.name, u.support_email, u.country, u.crisis_phone into university
  from public.students s
  join public.universities u on u.id = s.university_id
  where s.user_id = student;
  asked.id := gen_random_uuid();
  asked.message_id := gen_random_uuid();
  asked.send_at := private.next_day_time(private.time_zone_of(student), now());
  insert into private.outbox (id, channel, purpose, user_id, recipient, subject, body, send_at)
  values (
    asked.message_id, 'email', 'student_nudge', student, private.email_of(student), private.words_of(language, 'nudge.subject'),
    concat_ws(
      E'\n\n',
      coalesce(
        replace(private.words_of(language, 'nudge.greeting'), '{student}', first_name), private.words_of(language, 'nudge.greeting_bare')
      ),
      private.words_of(language, 'nudge.' || kind),
      replace(private.words_of(language, 'nudge.reply'), '{email}', university.support_email),
      concat_ws(
        E'\n',
        private.name_in_message(private.name_of((select private.current_account())), null, 60),
        private.name_in_message(university.name, null, 60)
      ),
      replace(
        private.words_of(language, 'nudge.danger'), '{emergency}',
        concat_ws(' / ', university.crisis_phone, private.emergency_phone(university.country))
      )
    ),
    asked.send_at
  );
  insert into private.nudges (id, user_id, university_id, counselor, kind, message_id, send_at)
  values (asked.id, student, university.id, (select private.current_account()), nudge_student.kind, asked.message_id, asked.send_at);
  return jsonb_build_object('id', asked.id, 'send_at', asked.send_at);
end
$$;
comment on function private.nudge_student is 'Implementation of public.nudge_student, which calls it.';

create function public.nudge_student(student_id uuid, kind text) returns jsonb
language sql set search_path = ''
begin atomic select private.nudge_student(student_id, kind); end;
comment on function public.nudge_student is 'Has a kind message sent to a student by email, in their language and by day where they are: {id, send_at}. The kind is thinking_of_you, come_by or check_in; one in 24 hours, whichever counselor asks, and 30 in an hour to all. What waits for the morning is cancelled unless the student still agrees or is in review then. Called by counselors of the student''s university, of students who agreed to counselor_access or are in review; an error for others.';

create function private.list_nudges(student uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_know_student(student) then
    return null;
  end if;
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', n.id, 'kind', n.kind, 'by_name', private.name_of(n.counselor), 'created_at', n.created_at, 'send_at', n.send_at,
          'state', o.status, 'ended_at', o.ended_at
        )
        order by n.created_at desc, n.id
      ),
      '[]'
    )
    from (select * from private.nudges t where t.user_id = student order by t.created_at desc limit 50) as n
    left join private.outbox o on o.id = n.message_id
  );
end
$$;
comment on function private.list_nudges is 'Implementation of public.list_nudges, which calls it.';

create function public.list_nudges(student_id uuid) returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_nudges(student_id); end;
comment on function public.list_nudges is 'The kind messages that counselors had sent to a student, the latest 50 first: an array of {id, kind, by_name, created_at, send_at, state, ended_at}; the state of the email is null once it is deleted, 30 days after it was sent. Called by counselors of the student''s university, of students who agreed to counselor_access or are in review; null for others.';
