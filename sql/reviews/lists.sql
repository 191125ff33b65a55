create type private.student_label as (email text, student_number text, faculty text, year_of_study text);
comment on type private.student_label is 'What tells a student from others of the same name.';

-- Where the register is joined, and nowhere else.
create function private.student_label(student uuid) returns private.student_label
language sql stable security definer set search_path = '' as $$
  select row(u.email, private.student_number(u.id), s.faculty, s.year_of_study)::private.student_label
  from auth.users u
  left join public.students s on s.user_id = u.id
  where u.id = student
$$;
comment on function private.student_label is 'What tells a student from others of the same name: email address, student number where it is known, faculty and year of study. Called where a review is shown with its student.';

create view public.open_clinical_reviews with (security_invoker = true) as
select
  r.id, r.university_id, r.user_id, p.first_name, p.last_name, l.email, l.student_number, l.faculty, l.year_of_study, r.source,
  r.risk_level, r.status, r.opened_at, r.claimed_at, r.claimed_by, r.last_risk_at, r.note_due_since
from public.clinical_reviews r
left join public.profiles p on p.user_id = r.user_id
left join lateral private.student_label(r.user_id) l on true
where r.status <> 'closed';
comment on view public.open_clinical_reviews is 'Open and claimed reviews. Only operators and public.list_open_reviews, which requires an entry in the access log, see the names.';

create function private.closed_reviews_listed() returns interval
language sql immutable set search_path = '' as $$ select interval '90 days' $$;
comment on function private.closed_reviews_listed is 'How long after its closing counselors can read a review. Called where they do.';

create function private.list_closed_reviews_as_counselor(page_limit integer, page_offset integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.universities_counseled()) then
    return '[]';
  end if;
  perform private.require_access_log('reviews_listed', private.access_arguments());
  return (
    select coalesce(
      jsonb_agg(
        to_jsonb(page)
        || (select private.review_context(c) from public.clinical_reviews c where c.id = page.id)
        || jsonb_build_object('closed_by_name', private.name_of(page.closed_by))
        order by page.closed_at desc, page.id
      ),
      '[]'
    )
    from (
      select
        r.id, r.university_id, r.user_id, p.first_name, p.last_name, l.email, l.student_number, l.faculty, l.year_of_study,
        r.source, r.risk_level, r.opened_at, r.first_claimed_at, r.first_response_at, r.closed_at, r.closed_by, r.outcome
      from (
        select *
        from public.clinical_reviews c
        where c.status = 'closed'
          and c.closed_at > now() - private.closed_reviews_listed()
          and c.university_id in (select private.universities_counseled())
          and c.user_id <> (select private.current_account())
        order by c.closed_at desc, c.id
        limit page_limit
        offset page_offset
      ) r
      left join public.profiles p on p.user_id = r.user_id
      left join lateral private.student_label(r.user_id) l on true
    ) as page
  );
end
$$;
comment on function private.list_closed_reviews_as_counselor is 'Implementation of public.list_closed_reviews, which calls it.';

create function public.list_closed_reviews(page_limit integer default 100, page_offset integer default 0) returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_closed_reviews_as_counselor(least(greatest(page_limit, 0), 200), greatest(page_offset, 0)); end;
comment on function public.list_closed_reviews is 'Reviews closed within the last 90 days, with the students'' names and the outcomes, the latest first: an array, at most 200 a page. Called by counselors within a minute of log_access(''reviews_listed'').';

-- Offsets count UTF-16 units, characters of Postgres code points: one that takes two units is followed by a placeholder.
create function private.excerpts_of(transcript text, passages jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'text', replace(around.before || around.passage || around.after, E'\uFFFF', ''),
        'from', char_length(around.before),
        'to', char_length(around.before || around.passage)
      )
      order by p.place
    ),
    '[]'
  )
  from (select regexp_replace(transcript, '([\U00010000-\U0010FFFF])', E'\\1\uFFFF', 'g') as units) as t
  cross join jsonb_array_elements(passages) with ordinality as p (span, place)
  cross join lateral (select (p.span ->> 0)::integer as start, (p.span ->> 1)::integer as stop) as at
  cross join lateral (
    select
      -- Whole words, where a language has them.
      case when at.start > 60 then ltrim(regexp_replace(substr(t.units, at.start - 59, 60), '^\S*\s+', ''), E'\uFFFF')
        else left(t.units, at.start)
      end as before,
      substr(t.units, at.start + 1, at.stop - at.start) as passage,
      case when char_length(t.units) > at.stop + 60 then regexp_replace(substr(t.units, at.stop + 1, 60), '\s+\S*$', '')
        else substr(t.units, at.stop + 1)
      end as after
  ) as around
  where transcript is not null
$$;
comment on function private.excerpts_of is 'Passages of a transcript with about ten words before and after each: an array of {text, from, to}, the passage being [from, to) of the text in UTF-16 units; empty where the transcript is gone. Called by private.sources_of_review.';

create function private.sources_of_review(review uuid, student uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'source', s.source, 'seen_at', s.seen_at, 'rule', i.crisis_rule, 'probability', i.crisis_probability,
        'excerpts', private.excerpts_of(
          case when private.lets_words_be_seen(student, i.created_at) then i.transcript end, i.crisis_passages
        )
      )
      order by s.seen_at desc, s.source_id
    ),
    '[]'
  )
  from (
    select *
    from private.clinical_review_sources
    where review_id = review
    order by seen_at desc, source_id
    limit 20
  ) as s
  left join checkin.check_ins c on s.source = 'check_in' and c.id = s.source_id and c.user_id = student
  left join private.check_in_inputs i on i.check_in_id = c.id
$$;
comment on function private.sources_of_review is 'Where the risk of a review was found, the latest 20 first, and of check-ins what found it: the rule, the probability and the words, read from the transcript as long as it is kept and the student lets them be seen. Called by private.read_review_as_counselor.';

-- The audit log knows them already, and who it was as long as they are not erased.
create function private.events_of_review(review public.clinical_reviews) returns jsonb
language sql stable security definer set search_path = '' as $$
  with changes as (
    select
      e.id, e.occurred_at as at, e.actor_id,
      case
        when e.details ? 'note_added' then 'note_added'
        when e.after ->> 'status' = 'claimed' then 'taken'
        when e.after ->> 'status' = 'closed' then 'closed'
        when e.before ->> 'status' = 'closed' then 'reopened'
        when e.after ? 'university_id' then 'moved'
        when e.before ->> 'status' = 'claimed' then case when e.actor_id is null then 'lapsed' else 'returned' end
        when e.after ? 'claimed_by' then 'handed_over'
      end as event
    from private.audit_log e
    where e.target_type = 'clinical_reviews' and e.target_id = review.id::text and e.action = 'review_changed'
  )
  select jsonb_agg(
    jsonb_build_object('at', t.at, 'event', t.event, 'by_name', private.name_of(t.actor_id)) order by t.at, t.id
  )
  from (
    select 0 as id, review.opened_at as at, null::uuid as actor_id, 'opened' as event
    union all
    select c.id, c.at, c.actor_id, c.event from changes c where c.event is not null
  ) as t
$$;
comment on function private.events_of_review is 'What was done with a review and by whom, the oldest first: an array of {at, event, by_name}, the event opened, taken, handed_over, note_added, returned, lapsed, moved, closed or reopened. Called by private.read_review_as_counselor.';

create function private.read_review_as_counselor(review uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  known public.clinical_reviews;
begin
  select r.* into known
  from public.clinical_reviews r
  where r.id = review
    and (r.status <> 'closed' or r.closed_at > now() - private.closed_reviews_listed())
    and r.university_id in (select private.universities_counseled())
    and r.user_id <> (select private.current_account());
  if not found then
    return null;
  end if;
  perform private.require_access_log('student_read', private.access_arguments(student => known.user_id));
  return (
    select to_jsonb(known) - '{source_id, last_notified_at, open_since, reminders, contacts_told, claim_reminded_at}'::text[]
      || jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name)
      || to_jsonb(private.student_label(known.user_id))
      || private.review_context(known)
      || jsonb_build_object(
        'contact', jsonb_build_object('email', private.email_of(known.user_id)),
        'closed_by_name', private.name_of(known.closed_by),
        'history', (
          select coalesce(jsonb_agg(to_jsonb(h) order by h.at desc, h.id desc), '[]')
          from private.history_of(known.user_id, '-infinity', null, null, 50) h
          where s.counselor_access
          having s.counselor_access
        ),
        'events', private.events_of_review(known),
        'sources', private.sources_of_review(known.id, known.user_id),
        'notes', coalesce(
          (
            select jsonb_agg(
              jsonb_build_object(
                'id', n.id, 'author', n.author, 'author_name', private.name_of(n.author),
                'note', n.note, 'created_at', n.created_at
              )
              order by n.id
            )
            from private.clinical_review_notes n
            where n.review_id = known.id
          ),
          '[]'
        )
      )
    from (select) as once
    left join public.profiles p on p.user_id = known.user_id
    left join public.students s on s.user_id = known.user_id and s.university_id = known.university_id
  );
end
$$;
comment on function private.read_review_as_counselor is 'Implementation of public.read_review, which calls it.';

create function public.read_review(review_id uuid) returns jsonb
language sql stable set search_path = ''
begin atomic select private.read_review_as_counselor(review_id); end;
comment on function public.read_review is 'A review with its student, where its risk was found with the words that raised it, and its notes, the oldest first; null for who does not counsel the student''s university, and of one that was closed more than 90 days ago. Called by counselors within a minute of log_access(''student_read'') with the student.';
