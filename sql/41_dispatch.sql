create function private.worker_of(kind private.job_kind)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when kind in ('audio_slice', 'audio_merge') then 'pipeline-audio'
    when kind in ('visual_group', 'visual_merge') then 'pipeline-visual'
    when kind = 'transcription' then 'pipeline-transcription'
    when kind = 'text' then 'pipeline-text'
    else 'pipeline-fusion'
  end
$$;
comment on function private.worker_of is 'Edge function that runs a kind of job.';

create function private.call_function(called text, body jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  functions_url text;
  pipeline_secret text;
begin
  select decrypted_secret into functions_url from vault.decrypted_secrets where name = 'functions_url';
  select decrypted_secret into pipeline_secret from vault.decrypted_secrets where name = 'pipeline_secret';
  if functions_url is null or pipeline_secret is null then
    raise warning 'Vault holds no functions_url or pipeline_secret: work waits until it does.';
    return;
  end if;
  perform net.http_post(
    url := functions_url || '/' || called,
    body := call_function.body,
    headers := jsonb_build_object(
      'content-type', 'application/json',
      'authorization', 'Bearer ' || pipeline_secret
    ),
    timeout_milliseconds := 5000
  );
end
$$;
comment on function private.call_function is 'Database webhook to one of the project''s own functions. Called by the queue and the outbox.';

create function private.dispatch_job(job uuid, kind private.job_kind)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.call_function(
    private.worker_of(kind),
    jsonb_build_object(
      'type', 'INSERT',
      'schema', 'private',
      'table', 'analysis_jobs',
      'record', jsonb_build_object('id', job, 'kind', kind)
    )
  );
end
$$;
comment on function private.dispatch_job is 'Tells the worker of a job that it is there. Called by the queue alone.';

create function private.schedule_first_dispatch()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.next_dispatch_at := coalesce(new.next_dispatch_at, now() + (select dispatch_grace from private.pipeline_settings));
  return new;
end
$$;
comment on function private.schedule_first_dispatch is 'Trigger: when to ring again if the first ring is lost.';

create trigger schedule_first_dispatch
before insert on private.analysis_jobs
for each row execute function private.schedule_first_dispatch();

create function private.dispatch_new_jobs()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.dispatch_job(id, kind) from new_jobs;
  return null;
end
$$;
comment on function private.dispatch_new_jobs is 'Trigger: rings for each job that was just queued.';

create trigger dispatch_new_jobs
after insert on private.analysis_jobs
referencing new table as new_jobs
for each statement execute function private.dispatch_new_jobs();
