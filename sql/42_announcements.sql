create function private.broadcast_check_in(check_in uuid, event text, payload jsonb)
returns void
language sql
security definer
set search_path = ''
as $$
  select realtime.send(payload, event, 'check-in:' || check_in, true)
$$;
comment on function private.broadcast_check_in is 'Tells the student''s devices, when the transaction commits. Called by the pipeline.';

create function private.crisis_resources(student uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(
    (
      select case when u.crisis_phone is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('name', u.short_name || ' crisis line', 'phone', u.crisis_phone, 'website', null))
        end || u.resources
      from public.profiles p
      join public.universities u on u.id = p.university_id
      where p.user_id = student and (u.crisis_phone is not null or u.resources <> '[]')
    ),
    '[]'
  ) || jsonb_build_array(
    jsonb_build_object('name', 'Emergency services', 'phone', '112', 'website', null),
    jsonb_build_object('name', 'Find a helpline in your country', 'phone', null, 'website', 'https://findahelpline.com')
  )
$$;
comment on function private.crisis_resources is 'Help shown with every result: array of {name, phone, website}.';

create function private.check_in_view(check_in uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
      'id', c.id,
      'type', c.type,
      'status', c.status,
      'progress', c.progress,
      'created_at', c.created_at,
      'expires_at', c.expires_at,
      'error', case when c.status = 'failed' then jsonb_build_object(
        'code', c.error_code,
        'message', case
          when c.risk_level = 'high' then 'We could not score this check-in, and what you said matters. Please talk to someone now: the contacts below are there for you.'
          when c.error_code = 'nothing_to_score' then 'Nothing that was sent could be analysed. Record again in a quiet place and send the check-in once more.'
          else 'The analysis could not be finished. Send the check-in once more.'
        end
      ) end
    ))
    || jsonb_build_object('completed_at', c.completed_at)
    || case when r.check_in_id is null then '{}'::jsonb else jsonb_build_object('result', jsonb_build_object(
      'score', r.score,
      'uncertainty', r.uncertainty,
      'direction_of_change', r.direction_of_change,
      'significance', r.significance,
      'risk_level', r.risk_level,
      'summary', r.summary,
      'themes', r.themes,
      'drivers_positive', r.drivers_positive,
      'drivers_negative', r.drivers_negative,
      'drivers', r.drivers,
      'components', r.components,
      'baseline', r.baseline,
      'crisis_resources', private.crisis_resources(c.user_id),
      'algorithm_version', r.algorithm_version
    )) end
    || case when c.status = 'failed'
      then jsonb_build_object('crisis_resources', private.crisis_resources(c.user_id))
      else '{}'::jsonb
    end
  from checkin.check_ins c
  left join checkin.fusion_results r on r.check_in_id = c.id and c.status = 'complete'
  where c.id = check_in
$$;
comment on function private.check_in_view is 'A check-in as the API answers it and the channel announces it.';
