-- In pages, because what a student adds has no end: a page is some MB at most.
create function private.personal_data_of(student uuid, page integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with paging as (
    select 50 as size, greatest(page, 0)::bigint * 50 as skipped
  ),
  consents as (
    select to_jsonb(c) as consent, row_number() over (order by c.granted_at, c.id) as place
    from public.consents c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  check_ins as (
    select c, row_number() over (order by c.created_at, c.id) as place
    from checkin.check_ins c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  transcripts as (
    select to_jsonb(t) - 'user_id' as transcript, row_number() over (order by t.created_at, t.id) as place
    from private.transcript_results t
    where t.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  verifications as (
    select to_jsonb(a) - array['ip_address', 'user_agent'] as verification, row_number() over (order by a.created_at, a.id) as place
    from public.buddy_verification_audit a
    where a.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  sessions as (
    select s, row_number() over (order by s.created_at, s.id) as place
    from public.assessment_sessions s
    where s.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  )
  select jsonb_build_object(
    'exported_at', now(),
    'page', greatest(page, 0),
    'next_page', (
      select case
        when p.size + p.skipped < greatest(
          (select count(*) from public.consents c where c.user_id = student),
          (select count(*) from checkin.check_ins c where c.user_id = student),
          (select count(*) from private.transcript_results t where t.user_id = student),
          (select count(*) from public.buddy_verification_audit a where a.user_id = student),
          (select count(*) from public.assessment_sessions s where s.user_id = student)
        ) then greatest(page, 0) + 1
      end
      from paging p
    ),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.created_at, r.id), '[]') from public.user_roles r where r.user_id = student),
    'support_alerts', (select coalesce(jsonb_agg(to_jsonb(a) - 'user_id' order by a.opened_at), '[]') from public.support_alerts a where a.user_id = student),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'consents', (select coalesce(jsonb_agg(c.consent order by c.place), '[]') from consents c),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by i.place
        ),
        '[]'
      )
      from check_ins i
      left join checkin.audio_analysis a on a.check_in_id = (i.c).id
      left join checkin.visual_analysis v on v.check_in_id = (i.c).id
      left join checkin.text_analysis t on t.check_in_id = (i.c).id
      left join checkin.fusion_results f on f.check_in_id = (i.c).id
    ),
    'transcripts', (select coalesce(jsonb_agg(t.transcript order by t.place), '[]') from transcripts t),
    'contacts', (
      select coalesce(jsonb_agg(to_jsonb(c) - 'verification_token' order by c.created_at, c.id), '[]')
      from public.buddy_contacts c
      where c.user_id = student
    ),
    'contact_verifications', (select coalesce(jsonb_agg(v.verification order by v.place), '[]') from verifications v),
    'support_preferences', (select to_jsonb(p) from public.support_preferences p where p.user_id = student),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = (i.s).id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = (i.s).id)
          )
          order by i.place
        ),
        '[]'
      )
      from sessions i
    )
  )
$$;
comment on function private.personal_data_of is
  'A page of the personal data of a student as JSON: everything except files and clinical reviews. Called by private.export_data.';

-- Writes nothing: an entry of its own would lock the audit log's chain for as long as the export takes.
create function private.export_data(page integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  -- Also of an account without a role: what is stored of people is theirs.
  person uuid := (select private.signed_in_account());
begin
  if person is null then
    return null;
  end if;
  perform private.require_access_log('data_exported', private.access_arguments());
  return private.personal_data_of(person, page);
end
$$;
comment on function private.export_data is 'Implementation of public.export_my_data, which calls it.';

create function public.export_my_data(page integer default 0)
returns jsonb
language sql
stable
set search_path = ''
begin atomic
  select private.export_data(page);
end;
comment on function public.export_my_data is
  'A page of the caller''s personal data: everything except clinical reviews and files, which are in the caller''s folders of the buckets; next_page is null on the last. Called by everybody within a minute of log_access(''data_exported'').';
