-- No policies: there is no table here, and API roles cannot reach the schema private.

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
    raise warning 'The vault has no functions_url or pipeline_secret: nothing is dispatched until it has both.';
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
comment on function private.call_function is 'Sends a database webhook to one of the project''s edge functions. Called by the queue and the outbox.';
