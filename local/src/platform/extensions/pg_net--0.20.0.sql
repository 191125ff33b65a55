-- The SQL interface of pg_net 0.20. The requests are sent by the stack's own sender instead of a worker inside
-- Postgres; it is told of new ones by a notification on the channel net_http_requests.

create schema net;

create unlogged table net.http_request_queue (
  id bigserial not null,
  method text not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);
comment on table net.http_request_queue is 'Requests that are not sent yet; lost when Postgres crashes.';

create unlogged table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
comment on table net._http_response is 'Responses of the last six hours; lost when Postgres crashes.';
create index _http_response_created_idx on net._http_response (created);
create index _http_response_id_idx on net._http_response (id);

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

create function net.wake()
returns trigger
language plpgsql
as $$
begin
  perform pg_notify('net_http_requests', '');
  return null;
end
$$;
create trigger wake
  after insert on net.http_request_queue
  for each statement execute function net.wake();

create function net._urlencode_string(string varchar)
returns text
language sql
immutable
strict
as $$
  select coalesce(
    string_agg(
      case
        when chr(get_byte(bytes, i)) ~ '[A-Za-z0-9_.~-]' and get_byte(bytes, i) < 128 then chr(get_byte(bytes, i))
        else '%' || upper(lpad(to_hex(get_byte(bytes, i)), 2, '0'))
      end,
      '' order by i
    ),
    ''
  )
  from convert_to(string, 'UTF8') as bytes, generate_series(0, length(bytes) - 1) as i
$$;

create function net._encode_url_with_params_array(url text, params_array text[])
returns text
language sql
immutable
strict
as $$
  select case
    when cardinality(params_array) = 0 then url
    else url || case when strpos(url, '?') > 0 then '&' else '?' end || array_to_string(params_array, '&')
  end
$$;

create function net.local_enqueue(
  method text,
  url text,
  params jsonb,
  headers jsonb,
  body jsonb,
  timeout_milliseconds integer
)
returns bigint
language sql
as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  select
    method,
    net._encode_url_with_params_array(
      url,
      array(
        select net._urlencode_string(key) || '=' || net._urlencode_string(coalesce(value, ''))
        from jsonb_each_text(coalesce(params, '{}'))
      )
    ),
    headers,
    convert_to(body::text, 'UTF8'),
    timeout_milliseconds
  returning id
$$;

create function net.http_get(
  url text,
  params jsonb default '{}'::jsonb,
  headers jsonb default '{}'::jsonb,
  timeout_milliseconds integer default 5000
)
returns bigint
language sql
strict
parallel safe
as $$
  select net.local_enqueue('GET', url, params, headers, null, timeout_milliseconds)
$$;
comment on function net.http_get(text, jsonb, jsonb, integer) is 'Queues a GET request; returns its id.';

create function net.http_post(
  url text,
  body jsonb default '{}'::jsonb,
  params jsonb default '{}'::jsonb,
  headers jsonb default '{"Content-Type": "application/json"}'::jsonb,
  timeout_milliseconds integer default 5000
)
returns bigint
language plpgsql
parallel safe
as $$
declare
  content_type text := (
    select value from jsonb_each_text(coalesce(headers, '{}')) where lower(key) = 'content-type' limit 1
  );
begin
  if content_type is null then
    headers := coalesce(headers, '{}') || '{"Content-Type": "application/json"}';
  elsif content_type not ilike 'application/json%' then
    raise exception 'Content-Type header must be "application/json"';
  end if;
  if body is null then
    raise exception 'body must not be null';
  end if;
  return net.local_enqueue('POST', url, params, headers, body, timeout_milliseconds);
end
$$;
comment on function net.http_post(text, jsonb, jsonb, jsonb, integer) is
  'Queues a POST request with a JSON body; returns its id.';

create function net.http_delete(
  url text,
  params jsonb default '{}'::jsonb,
  headers jsonb default '{}'::jsonb,
  timeout_milliseconds integer default 5000,
  body jsonb default null
)
returns bigint
language sql
parallel safe
as $$
  select net.local_enqueue('DELETE', url, params, headers, body, timeout_milliseconds)
$$;
comment on function net.http_delete(text, jsonb, jsonb, integer, jsonb) is
  'Queues a DELETE request; returns its id.';

create function net.http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql
strict
parallel safe
as $$
declare
  response net._http_response;
begin
  loop
    select * into response from net._http_response where id = request_id;
    exit when found;
    if async then
      if exists (select from net.http_request_queue where id = request_id) then
        return row('PENDING', 'request is pending processing', null)::net.http_response_result;
      end if;
      return row('ERROR', 'request matching request_id not found', null)::net.http_response_result;
    end if;
    perform pg_sleep(0.05);
  end loop;
  if response.error_msg is not null then
    return row('ERROR', response.error_msg, null)::net.http_response_result;
  end if;
  return row(
    'SUCCESS',
    'ok',
    row(response.status_code, response.headers, response.content)::net.http_response
  )::net.http_response_result;
end
$$;
comment on function net.http_collect_response(bigint, boolean) is
  'Response to a request; waits for it unless async. A request is pending until its batch has ended.';

grant usage on schema net to public;
grant usage on schema net to supabase_functions_admin, postgres, anon, authenticated, service_role;
grant all on all tables in schema net to public;
grant all on all sequences in schema net to public;
