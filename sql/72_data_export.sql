create function private.personal_data_of(student uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.id), '[]') from public.user_roles r where r.user_id = student),
    'consents', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.granted_at, c.id), '[]') from public.consents c where c.user_id = student
    ),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by c.created_at, c.id
        ),
        '[]'
      )
      from checkin.check_ins c
      left join checkin.audio_analysis a on a.check_in_id = c.id
      left join checkin.visual_analysis v on v.check_in_id = c.id
      left join checkin.text_analysis t on t.check_in_id = c.id
      left join checkin.fusion_results f on f.check_in_id = c.id
      where c.user_id = student
    ),
    'transcripts', (
      select coalesce(jsonb_agg(to_jsonb(t) - 'user_id' order by t.created_at), '[]')
      from private.transcript_results t
      where t.user_id = student
    ),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = s.id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = s.id)
          )
          order by s.created_at, s.id
        ),
        '[]'
      )
      from public.assessment_sessions s
      where s.user_id = student
    )
  )
$$;
comment on function private.personal_data_of is 'Personal data of a student as JSON: everything except files and clinical reviews. Called by private.export_data.';

create function private.export_data()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  person uuid := (select private.current_account());
  personal_data jsonb;
begin
  if person is null then
    return null;
  end if;
  personal_data := private.personal_data_of(person);
  if not exists (
    select from public.audit_logs
    where actor_id = person and action = 'data_exported' and occurred_at > now() - interval '1 minute'
  ) then
    perform private.audit('data_exported', private.university_of(person), 'profiles', person::text);
  end if;
  return personal_data;
end
$$;
comment on function private.export_data is 'Implementation of public.export_my_data, which calls it.';

create function public.export_my_data()
returns jsonb
language sql
set search_path = ''
begin atomic
  select private.export_data();
end;
comment on function public.export_my_data is
  'Personal data of the caller: everything except clinical reviews and files, which are in the caller''s folders of the buckets. Called by students; logged in the audit log, at most once a minute.';
