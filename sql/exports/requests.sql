-- What people do with exports: ask, read, cancel, open the link in the email.

-- Objects are packed in the order of their names; only a loop can say where the next volume begins.
create function private.plan_media_volumes(export uuid, student uuid, first smallint) returns void
language plpgsql set search_path = '' as $$
declare
  most bigint := (select volume_bytes from private.export_settings);
  conditions text;
  object record;
  packed jsonb := '[]';
  packed_bytes bigint := 0;
  volume smallint := first;
begin
  select string_agg(format('(t.bucket_id = %L and (%s))', p.relation_name, p.belongs_to), ' or ') into conditions
  from private.personal_data p
  where p.store = 'bucket' and p.belongs_to is not null and p.relation_name <> 'exports';
  for object in execute format(
    $query$
      select t.bucket_id as bucket, t.name, (t.metadata ->> 'size')::bigint as bytes, t.metadata ->> 'mimetype' as type
      from storage.objects t
      where (%s) and (t.metadata ->> 'size')::bigint is not null
      order by t.bucket_id, t.name collate "C"
    $query$,
    coalesce(conditions, 'false')
  ) using student
  loop
    if object.bytes > most then
      insert into private.export_volumes (export_id, ordinal, content, object_name, objects)
      values (export, volume, 'file', student || '/' || export || '/' || volume, jsonb_build_array(to_jsonb(object)));
      volume := volume + 1;
      continue;
    end if;
    if packed_bytes + object.bytes > most then
      insert into private.export_volumes (export_id, ordinal, content, object_name, objects)
      values (export, volume, 'media', student || '/' || export || '/' || volume, packed);
      volume := volume + 1;
      packed := '[]';
      packed_bytes := 0;
    end if;
    packed := packed || to_jsonb(object);
    packed_bytes := packed_bytes + object.bytes;
  end loop;
  insert into private.export_volumes (export_id, ordinal, content, object_name, objects)
  select export, volume, 'media', student || '/' || export || '/' || volume, packed
  where packed <> '[]';
end
$$;
comment on function private.plan_media_volumes is 'Divides what a person has in Storage into volumes, numbered from first. Called by private.request_export.';

create function private.request_export(
  student uuid, include_name boolean, at timestamptz, address inet, agent text, request text
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  settings private.export_settings;
  running uuid;
  today record;
  requested integer;
  export uuid;
  volumes smallint;
begin
  select * into strict settings from private.export_settings;
  -- One request of a person at a time; the account goes first, as everywhere.
  perform from auth.users where id = student for no key update;
  if not found then
    return jsonb_build_object('outcome', 'account_deleted');
  end if;
  select id into running from private.exports where user_id = student and status in ('queued', 'building');
  if running is not null then
    return jsonb_build_object('outcome', 'export_running', 'id', running);
  end if;
  select * into strict today from private.day_of(student, at);
  select count(*) into requested
  from private.exports
  where user_id = student and created_at >= today.began and status <> 'failed';
  if requested >= settings.daily_requests then
    return jsonb_build_object(
      'outcome', 'export_limit', 'retry_after_s', ceil(extract(epoch from today.ends - at))::integer
    );
  end if;

  insert into private.exports (user_id, include_name, created_at) values (student, request_export.include_name, at)
  returning id into export;
  with moments as (
    select created_at, row_number() over (order by created_at) as place
    from (
      select created_at from checkin.check_ins where user_id = student
      union all
      select created_at from public.assessment_sessions where user_id = student
    ) all_moments
    where created_at < at
  ),
  ends as (
    select distinct created_at as until from moments where place % settings.rows_per_volume = 0
    union
    select at
  )
  insert into private.export_volumes (export_id, ordinal, content, object_name, since, until)
  select
    export,
    row_number() over (order by until),
    'documents',
    student || '/' || export || '/' || row_number() over (order by until),
    lag(until) over (order by until),
    until
  from ends;
  get diagnostics volumes = row_count;
  perform private.plan_media_volumes(export, student, (volumes + 1)::smallint);
  perform private.dispatch_exports();
  perform private.audit(
    'data_exported', private.university_of(student), 'profiles',
    actor => student, ip => address, user_agent => agent, request_id => request, subject => student
  );
  return jsonb_build_object('outcome', 'requested', 'id', export);
end
$$;
comment on function private.request_export is 'Plans an export of everything that is stored of an account: outcome requested, export_running (id), export_limit (retry_after_s) or account_deleted. Called by api.';

create function private.cancel_export(student uuid, export uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.end_export(e.id, 'cancelled') from private.exports e where e.id = export and e.user_id = student;
  return found;
end
$$;
comment on function private.cancel_export is 'Ends an export of an account, also one that is ready, and removes its files; false when there is no such export of theirs, true also when it has ended before. Called by api.';

create function private.read_exports(student uuid, wanted uuid default null) returns setof jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', e.id,
    -- Its time is over also while nothing ends it.
    'status', case when e.status = 'ready' and e.expires_at <= now() then 'expired' else e.status end,
    'error_code', e.error_code,
    'include_name', e.include_name,
    'created_at', e.created_at,
    'ready_at', case when e.status in ('ready', 'expired') then e.ended_at end,
    'expires_at', e.expires_at,
    'volumes', (
      select jsonb_agg(
        jsonb_build_object(
          'number', v.ordinal, 'content', v.content, 'status', v.status, 'bytes', v.bytes, 'left_out', v.left_out,
          'object_name', v.object_name, 'objects', jsonb_array_length(v.objects),
          'original', case when v.content = 'file' then v.objects -> 0 end
        )
        order by v.ordinal
      )
      from private.export_volumes v
      where v.export_id = e.id
    )
  )
  from private.exports e
  where e.user_id = student and (wanted is null or e.id = wanted)
  order by e.created_at desc, e.id
  limit 100
$$;
comment on function private.read_exports is 'The exports of an account, the newest first, or the one that is wanted. Called by api.';

create function private.export_of_link(token_hash text) returns table (student uuid, export uuid)
language sql stable security definer set search_path = '' as $$
  select e.user_id, e.id
  from private.exports e
  where e.token_hash = export_of_link.token_hash and e.status = 'ready' and e.expires_at > now()
$$;
comment on function private.export_of_link is 'The export that a link in an email leads to; no row when it leads nowhere. Called by api.';
