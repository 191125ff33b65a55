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
