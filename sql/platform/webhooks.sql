-- The span in between is the database's own; version 4 of a UUID is never all zeros.
create function private.traceparent(trace_id text) returns text
language sql set search_path = '' as $$
  select '00-' || trace_id || '-' || left(replace(gen_random_uuid()::text, '-', ''), 16) || '-01'
$$;
comment on function private.traceparent is 'The header of the W3C recommendation Trace Context that continues a trace; null without one. Called where a webhook is sent.';

create function private.call_function(called text, body jsonb, trace_id text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  functions_url text;
  pipeline_secret text;
begin
  select decrypted_secret into functions_url from vault.decrypted_secrets where name = 'functions_url';
  select decrypted_secret into pipeline_secret from vault.decrypted_secrets where name = 'pipeline_secret';
  if functions_url is null or pipeline_secret is null then
    raise warning 'The vault has no functions_url or pipeline_secret: nothing is dispatched until it has both.';
    return;
  end if;
  perform net.http_post(
    url := functions_url || '/' || called,
    body := call_function.body,
    headers := jsonb_strip_nulls(jsonb_build_object(
      'content-type', 'application/json',
      'authorization', 'Bearer ' || pipeline_secret,
      'traceparent', private.traceparent(trace_id)
    )),
    timeout_milliseconds := 5000
  );
end
$$;
comment on function private.call_function is 'Sends a database webhook to one of the project''s edge functions, within the trace that it belongs to, if any. Called by the queue and the outbox.';
